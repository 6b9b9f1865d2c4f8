/* A Delta from C: names and units, kinematics, torques, a regulator in a loop of our own, a task with progress.
 * Every answer is compared with another one, so the program fails if something is wrong. */
#include "legwork.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program with the message of a call that should have been answered. */
static void expect(int code, const char *what) {
    if (code != LEGWORK_OK) {
        char text[512];
        legwork_last_message(text, sizeof text);
        fprintf(stderr, "%s: %s: %s\n", what, legwork_code_name(code), text);
        exit(1);
    }
}

static void near_to(double found, double wanted, double tolerance, const char *what) {
    if (!(fabs(found - wanted) <= tolerance)) {
        fprintf(stderr, "%s: %.17g instead of %.17g\n", what, found, wanted);
        exit(1);
    }
}

static int progress(void *user, double done, const char *what) {
    (void)what;
    *(double *)user = done;
    return 0;
}

int main(void) {
    legwork_robot *robot;
    expect(legwork_robot_open("delta-industrial", &robot), "open");
    legwork_sizes sizes;
    expect(legwork_robot_sizes(robot, &sizes), "sizes");
    printf("%s, legwork %s: %zu joints, %zu freedoms, %zu legs\n", legwork_robot_name(robot), legwork_version(),
           sizes.joints, sizes.freedoms, sizes.legs);
    for (size_t k = 0; k < sizes.coordinates; k++) {
        printf("  %s [%s]\n", legwork_name(robot, LEGWORK_COORDINATES, k), legwork_unit(robot, LEGWORK_COORDINATES, k));
    }

    /* There and back: inverse and forward kinematics. */
    const double pose[3] = {0.1, -0.05, -0.8}, velocity[3] = {1.0, 0.0, 0.5}, acceleration[3] = {0.0, 10.0, 5.0};
    legwork_state state = {pose, 3, velocity, 3, acceleration, 3, NULL, 0};
    double q[3], back[3];
    expect(legwork_inverse_kinematics(robot, &state, q, 3), "inverse kinematics");
    expect(legwork_forward_kinematics(robot, q, 3, NULL, 0, back, 3), "forward kinematics");
    for (int k = 0; k < 3; k++) near_to(back[k], pose[k], 1e-12, "there and back");
    printf("q = %.6f %.6f %.6f rad\n", q[0], q[1], q[2]);

    /* All working modes. */
    double all[8 * 3];
    char modes[256];
    size_t count;
    expect(legwork_all_inverse_kinematics(robot, &state, all, 24, modes, sizeof modes, &count), "all modes");
    printf("%zu working modes, the first is %.*s\n", count, (int)strcspn(modes, "\n"), modes);

    /* Torques, and the accelerations under them: tau = M qdd + c + g + friction. */
    double tau[3], platform[3], joint[3], M[9], gravity[3], coriolis[3], jacobian[9], qd[3], qdd[3];
    expect(legwork_inverse_dynamics(robot, &state, tau, 3), "inverse dynamics");
    expect(legwork_forward_dynamics(robot, &state, tau, 3, platform, 3, joint, 3), "forward dynamics");
    expect(legwork_joint_motion(robot, &state, q, qd, qdd, 3), "joint motion");
    expect(legwork_mass_matrix(robot, &state, M, 9), "mass matrix");
    expect(legwork_coriolis(robot, &state, coriolis, 3), "coriolis");
    expect(legwork_gravity(robot, &state, gravity, 3), "gravity");
    expect(legwork_jacobian(robot, &state, jacobian, 9), "jacobian");
    for (int k = 0; k < 3; k++) {
        double speed = 0.0;
        for (int j = 0; j < 3; j++) speed += jacobian[3 * k + j] * qd[j];
        near_to(speed, velocity[k], 1e-11, "V = J qd");
        near_to(platform[k], acceleration[k], 1e-9, "forward dynamics undoes inverse dynamics");
        near_to(joint[k], qdd[k], 1e-8, "joint accelerations");
        near_to(M[3 * k + (k + 1) % 3], M[3 * ((k + 1) % 3) + k], 1e-12, "M is symmetric");
    }
    printf("tau = %.4f %.4f %.4f N m\n", tau[0], tau[1], tau[2]);
    double kinetic, potential;
    expect(legwork_energies(robot, &state, &kinetic, &potential), "energies");

    /* Many states; one of them is out of reach. */
    double poses[300], batch_q[300];
    uint8_t marks[100];
    for (int k = 0; k < 100; k++) {
        poses[3 * k] = 0.001 * k;
        poses[3 * k + 1] = 0.0;
        poses[3 * k + 2] = k == 50 ? -9.0 : -0.8;
    }
    legwork_batch batch = {100, poses, 300, NULL, 0, NULL, 0, NULL, 0};
    size_t answered;
    expect(legwork_batch_inverse_kinematics(robot, &batch, batch_q, 300, marks, 100, &answered, 1), "batch");
    printf("%zu of 100 poses are in reach; number 50 is %s\n", answered, legwork_code_name(marks[50]));
    if (answered != 99 || marks[50] != LEGWORK_UNREACHABLE || !isnan(batch_q[150])) return 1;

    /* A payload makes another robot. */
    legwork_robot *loaded;
    double payload;
    expect(legwork_payload(robot, &payload), "payload");
    expect(legwork_robot_with_payload(robot, payload + 0.5, &loaded), "payload");
    double heavy[3];
    expect(legwork_gravity(loaded, &state, heavy, 3), "gravity with a payload");
    printf("half a kilogram more: %.4f instead of %.4f N m at the first motor\n", heavy[0], gravity[0]);
    if (!(fabs(heavy[0]) > fabs(gravity[0]))) return 1;
    expect(legwork_robot_free(loaded), "free");

    /* What cannot be is refused with its reason. */
    const double far_away[3] = {0.0, 0.0, -9.0};
    legwork_state outside = {far_away, 3, NULL, 0, NULL, 0, NULL, 0};
    char text[256];
    if (legwork_inverse_kinematics(robot, &outside, q, 3) != LEGWORK_UNREACHABLE) return 1;
    legwork_last_message(text, sizeof text);
    printf("refused: %s\n", text);
    expect(legwork_robot_free(robot), "free");

    /* A regulator in a loop of our own: the machine here is one that is always where it should be. */
    const char *request = "{\"task\": \"follow\", \"robot\": \"delta-direct-drive\", \"controller\": {\"regulators\": [\"model\"]}}";
    legwork_regulator *regulator;
    expect(legwork_regulator_new(request, strlen(request), &regulator), "regulator");
    legwork_regulator_info info;
    expect(legwork_regulator_about(regulator, &info), "about");
    double efforts[3], largest = 0.0;
    for (int k = 0; k < 100; k++) {
        double time = k * info.period;
        expect(legwork_regulator_reference(regulator, time, q, 3), "reference");
        expect(legwork_regulator_step(regulator, time, q, 3, NULL, 0, efforts, 3), "step");
        largest = fmax(largest, fabs(efforts[0]));
    }
    printf("100 samples of %g ms, at most %.3f N m\n", info.period * 1e3, largest);
    q[0] = NAN;
    if (legwork_regulator_step(regulator, 100 * info.period, q, 3, NULL, 0, efforts, 3) != LEGWORK_SAFE_COMMAND) return 1;
    double when;
    expect(legwork_regulator_fault(regulator, &when, text, sizeof text), "fault");
    printf("at %.3f s the supervisor takes over: %s\n", when, text);
    expect(legwork_regulator_free(regulator), "free");

    /* A task. */
    const char *task = "{\"task\": \"simulate\", \"robot\": \"delta-industrial\", \"duration\": \"20 ms\"}";
    double done = 0.0;
    legwork_text *result;
    expect(legwork_run(task, strlen(task), NULL, progress, NULL, &done, &result), "task");
    size_t length;
    const char *json = legwork_text_data(result, &length);
    printf("the task is done to %.0f %%; its result has %zu bytes: %.40s...\n", 100.0 * done, length, json);
    if (done != 1.0 || strlen(json) != length) return 1;
    expect(legwork_text_free(result), "free");
    return 0;
}
