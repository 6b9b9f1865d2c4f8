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
#include <string.h>

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

/* Whether the platform can move so by itself; other coordinates follow from those that are free. */
static int is_free(const legwork_robot *robot, const legwork_sizes *sizes, const char *coordinate) {
    const char *pairs[][2] = {{"x", "vx"}, {"y", "vy"}, {"z", "vz"}, {"roll", "wx"}, {"pitch", "wy"}, {"yaw", "wz"}, {"angle", "wz"}};
    size_t k, freedom;
    for (k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
        for (freedom = 0; freedom < sizes->freedoms; freedom++)
            if (!strcmp(pairs[k][0], coordinate) && !strcmp(pairs[k][1], legwork_name(robot, LEGWORK_FREEDOMS, freedom))) return 1;
    return 0;
}

int main(int count, char **words) {
    legwork_robot *robot;
    legwork_sizes sizes;
    double home[6], pose[6], q[16], joints[16], others[16], worst = 0.0;
    KINEMATICS_FORWARD_FLAGS forward = 0;
    KINEMATICS_INVERSE_FLAGS inverse = 0;
    EmcPose world, before, back;
    int round;
    size_t k;
    if (count != 2 || rtapi_app_main() != 0 || kinematicsType() != KINEMATICS_BOTH) return 1;
    if (legwork_robot_open(words[1], &robot) || legwork_robot_sizes(robot, &sizes) || legwork_home(robot, home, sizes.coordinates)) return 1;
    for (round = 0; round < 200; round++) {
        legwork_state state = {pose, sizes.coordinates, NULL, 0, NULL, 0, NULL, 0};
        ZERO_EMC_POSE(world);
        ZERO_EMC_POSE(back);
        for (k = 0; k < sizes.coordinates; k++) {
            const char *name = legwork_name(robot, LEGWORK_COORDINATES, k);
            /* A coordinate that follows from the others stays as it is. */
            double step = is_free(robot, &sizes, name) ? 0.01 * sin(0.1 * round * (double)(k + 1)) : 0.0;
            double unit = name[0] == 'x' || (name[0] == 'y' && name[1] == 0) || name[0] == 'z' ? 1e3 : 180.0 / acos(-1.0);
            pose[k] = home[k] + step;
            *place(&world, name) = pose[k] * unit;
        }
        if (round == 0) before = world;
        if (kinematicsInverse(&world, joints, &inverse, &forward) != 0) { fprintf(stderr, "no inverse\n"); return 1; }
        if (legwork_inverse_kinematics(robot, &state, q, sizes.joints) != LEGWORK_OK) return 1;
        for (k = 0; k < sizes.joints; k++) {
            double unit = legwork_unit(robot, LEGWORK_JOINTS, k)[0] == 'm' ? 1e3 : 180.0 / acos(-1.0);
            worst = fmax(worst, fabs(joints[k] - q[k] * unit));
        }
        /* Forward kinematics begins where the platform was last: at the pose before, not at the answer. */
        if (kinematicsInverse(&before, others, &inverse, &forward) != 0) { fprintf(stderr, "no inverse\n"); return 1; }
        before = world;
        if (kinematicsForward(joints, &back, &forward, &inverse) != 0) { fprintf(stderr, "no forward\n"); return 1; }
        for (k = 0; k < sizes.coordinates; k++) {
            const char *name = legwork_name(robot, LEGWORK_COORDINATES, k);
            if (!is_free(robot, &sizes, name)) continue;
            worst = fmax(worst, fabs(*place(&back, name) - *place(&world, name)));
        }
    }
    /* What is no number is refused, and so is what is out of reach, unless the joints could be there. */
    *place(&world, legwork_name(robot, LEGWORK_COORDINATES, 0)) = 1e300;
    if (kinematicsInverse(&world, joints, &inverse, &forward) == 0)
        for (k = 0; k < sizes.joints; k++)
            if (!isfinite(joints[k])) { fprintf(stderr, "1e300 is not refused\n"); return 1; }
    *place(&world, legwork_name(robot, LEGWORK_COORDINATES, 0)) = NAN;
    if (kinematicsInverse(&world, joints, &inverse, &forward) == 0) { fprintf(stderr, "NaN is not refused\n"); return 1; }
    joints[0] = NAN;
    if (kinematicsForward(joints, &back, &forward, &inverse) == 0) { fprintf(stderr, "NaN joints are not refused\n"); return 1; }
    legwork_robot_free(robot);
    rtapi_app_exit();
    printf("%s: 200 poses there and back, off by %.1e mm or deg\n", words[1], worst);
    /* 1e-9: rounding of doubles in millimetres and degrees. */
    return !(worst < 1e-9);
}
