/* Calls the core from C: it links only if nothing in it can panic. */
#include <stdbool.h>
#include <stdio.h>

bool torque(const double motion[9], double torque[3]);
bool acceleration(const float state[9], float qddot[3]);
bool other_roads(const double position[3], double *sum);

/* Not called: naming them is enough to have them, and all they reach, linked. */
extern char gough, slides, planar, linear, redundant, any, delta_motion, gough_motion;
extern char delta_control, delta_control_single, gough_control, machine_motion;
extern char trajectories, fastest, fastest_hexapod;
const void *const engine[] = {&gough,     &slides,       &planar,      &linear,      &redundant,
                              &any,       &delta_motion, &gough_motion,
                              &delta_control, &delta_control_single, &gough_control, &machine_motion,
                              &trajectories, &fastest,   &fastest_hexapod};

int main(void) {
    /* state 2 of golden/delta_industrial.json */
    const double motion[9] = {-0.2798293110228141, -0.1912410754485579, -0.8622011785665129,
                              1.8253248293975797,  1.1356307063226572,  -1.565903381964858,
                              31.139207457410958,  -9.596933720968472,  -13.676693363491443};
    const double expected[3] = {-31.51587173707531, 26.53651142830755, 7.387633102141138};
    const float state[9] = {1.1986305f, 0.8557225f, 0.28366202f, -1.6048129f, 0.73740977f, 5.0908612f,
                            -10.316832f, -6.9470553f, -15.567926f};
    double tau[3], sum;
    float qddot[3];
    if (!torque(motion, tau) || !acceleration(state, qddot) || !other_roads(motion, &sum)) return 1;
    for (int i = 0; i < 3; i++) {
        double error = tau[i] - expected[i];
        if (!(error < 1e-11 && error > -1e-11)) return 2;
    }
    const double far[9] = {0.0, 0.0, -9.0};
    if (torque(far, tau)) return 3;
    for (unsigned i = 0; i < sizeof engine / sizeof *engine; i++)
        if (!engine[i]) return 4;
    printf("torque %.12f %.12f %.12f N m\nqdd %.3f %.3f %.3f rad/s2\n", tau[0], tau[1], tau[2], (double)qddot[0],
           (double)qddot[1], (double)qddot[2]);
    return 0;
}
