/* Calls an exported kinematics module as LinuxCNC does and compares it with the library: there and back around home.
 * The module is compiled against the headers of LinuxCNC (Debian's linuxcnc-uspace-dev); no LinuxCNC runs here, so its four
 * functions that a module calls when it is loaded are stand-ins. */
#include "hal.h"
#include "kinematics.h"
#include "legwork.h"
#include "rtapi.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int hal_init(const char *name) { (void)name; return 1; }
int hal_ready(int component) { (void)component; return 0; }
int hal_exit(int component) { (void)component; return 0; }
void rtapi_print_msg(msg_level_t level, const char *format, ...) {
    va_list list;
    (void)level;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

int rtapi_app_main(void);
void rtapi_app_exit(void);

/* The places of our coordinates in a pose of LinuxCNC. */
static double *place(EmcPose *world, const char *name) {
    switch (name[0]) {
    case 'x': return &world->tran.x;
    case 'y': return name[1] == 'a' ? &world->c : &world->tran.y;
    case 'z': return &world->tran.z;
    case 'r': return &world->a;
    case 'p': return &world->b;
    default: return &world->c;
    }
}

int main(int count, char **words) {
    legwork_robot *robot;
    legwork_sizes sizes;
    double home[6], pose[6], q[16], joints[16], worst = 0.0;
    KINEMATICS_FORWARD_FLAGS forward = 0;
    KINEMATICS_INVERSE_FLAGS inverse = 0;
    EmcPose world, back;
    int round;
    size_t k;
    if (count != 2 || rtapi_app_main() != 0 || kinematicsType() != KINEMATICS_BOTH) return 1;
    if (legwork_robot_open(words[1], &robot) || legwork_robot_sizes(robot, &sizes) || legwork_home(robot, home, sizes.coordinates)) return 1;
    for (round = 0; round < 200; round++) {
        legwork_state state = {pose, sizes.coordinates, NULL, 0, NULL, 0, NULL, 0};
        ZERO_EMC_POSE(world);
        ZERO_EMC_POSE(back);
        for (k = 0; k < sizes.coordinates; k++) {
            /* A coordinate that follows from the others stays as it is. */
            int is_free = k < sizes.freedoms;
            double step = is_free ? 0.01 * sin(0.1 * round * (double)(k + 1)) : 0.0;
            const char *name = legwork_name(robot, LEGWORK_COORDINATES, k);
            double unit = name[0] == 'x' || (name[0] == 'y' && name[1] == 0) || name[0] == 'z' ? 1e3 : 180.0 / acos(-1.0);
            pose[k] = home[k] + step;
            *place(&world, name) = pose[k] * unit;
        }
        if (kinematicsInverse(&world, joints, &inverse, &forward) != 0) { fprintf(stderr, "no inverse\n"); return 1; }
        if (legwork_inverse_kinematics(robot, &state, q, sizes.joints) != LEGWORK_OK) return 1;
        for (k = 0; k < sizes.joints; k++) {
            double unit = legwork_unit(robot, LEGWORK_JOINTS, k)[0] == 'm' ? 1e3 : 180.0 / acos(-1.0);
            worst = fmax(worst, fabs(joints[k] - q[k] * unit));
        }
        if (kinematicsForward(joints, &back, &forward, &inverse) != 0) { fprintf(stderr, "no forward\n"); return 1; }
        for (k = 0; k < sizes.freedoms && k < sizes.coordinates; k++) {
            const char *name = legwork_name(robot, LEGWORK_COORDINATES, k);
            worst = fmax(worst, fabs(*place(&back, name) - *place(&world, name)));
        }
    }
    /* What is out of reach is refused. */
    *place(&world, legwork_name(robot, LEGWORK_COORDINATES, 0)) = 1e300;
    if (kinematicsInverse(&world, joints, &inverse, &forward) == 0) { fprintf(stderr, "1e300 mm is not refused\n"); return 1; }
    legwork_robot_free(robot);
    rtapi_app_exit();
    printf("%s: 200 poses there and back, off by %.1e mm or deg\n", words[1], worst);
    /* 1e-9: rounding of doubles in millimetres and degrees. */
    return !(worst < 1e-9);
}
