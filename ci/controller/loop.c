/*
 * A small firmware: a Delta on a circle at 1 kHz. Each sample the reference is worked out, the generated regulator step
 * gives torques (feed-forward of the model, PD, supervisor), and the generated forward dynamics stands for the machine.
 * After 0.8 s a sensor jumps: the supervisor latches its fault and takes the torques down.
 *
 * Prints lines `name value`; those of `instructions` exist on a Cortex-M only.
 */
#include "delta_industrial.h"

#include <math.h>
#include <stdio.h>

#ifdef SINGLE
typedef float real;
#define SIN sinf
#define COS cosf
#else
typedef double real;
#define SIN sin
#define COS cos
#endif

#ifdef __arm__
/* SysTick counts down; under `-icount shift=0` one tick is 40 instructions. */
#define CONTROL (*(volatile unsigned *)0xE000E010u)
#define RELOAD (*(volatile unsigned *)0xE000E014u)
#define NOW (*(volatile unsigned *)0xE000E018u)
#endif

static unsigned ticks(void)
{
#ifdef __arm__
    return NOW;
#else
    return 0;
#endif
}

int main(void)
{
    const real kp[3] = {300, 300, 300}, kd[3] = {6, 6, 6}, most[3] = {200, 200, 200}, rate[3] = {1e5, 1e5, 1e5};
    const real low[3] = {-2, -2, -2}, high[3] = {3, 3, 3}, speed[3] = {30, 30, 30}, reading[3] = {0, 0, 0};
    const real tracking[3] = {(real)0.3, (real)0.3, (real)0.3}, none[3] = {0, 0, 0};
    const real dt = (real)1e-3, radius = (real)0.08, turn = 6;
    real x[3] = {radius, 0, (real)-0.8}, v[3] = {0, radius * turn, 0}, state[12] = {0}, worst = 0, fault = 0;
    real effort[3] = {0, 0, 0};
    unsigned spent = 0, samples = 0;
#ifdef __arm__
    RELOAD = 0xFFFFFF;
    NOW = 0;
    CONTROL = 5;
#endif
    for (int n = 0; n < 1000; n++) {
        const real angle = turn * dt * (real)n, c = COS(angle), s = SIN(angle);
        const real position[3] = {radius * c, radius * s, (real)-0.8};
        const real velocity[3] = {-radius * turn * s, radius * turn * c, 0};
        const real acceleration[3] = {-radius * turn * turn * c, -radius * turn * turn * s, 0};
        real q[3], qd[3], qdd[3], error[3], margin, a[3];
        delta_industrial_joint_motion(x, v, none, q, qd, qdd, &margin);
        if (!(margin > (real)1e-3)) { /* true for NaN too */
            printf("refused %d\n", n);
            return 1;
        }
        if (n >= 800) {
            q[0] += (real)0.5; /* the sensor that jumps */
        }
        const unsigned before = ticks();
        delta_industrial_regulator_step(position, velocity, acceleration, q, qd, kp, kd, most, rate, low, high, speed, reading,
                                        tracking, dt, (real)2e-3, (real)1e-6, (real)0.1, state, effort, &fault, error, &margin);
        spent += (before - ticks()) & 0xFFFFFFu;
        samples++;
        for (int k = 0; k < 3 && fault == 0; k++) {
            worst = error[k] > worst ? error[k] : (-error[k] > worst ? -error[k] : worst);
        }
        if (n == 799) {
            printf("x %.9e\ny %.9e\nz %.9e\ntorque %.9e\n", (double)x[0], (double)x[1], (double)x[2], (double)effort[0]);
        }
        delta_industrial_forward_dynamics(x, v, effort, a, qdd, &margin);
        if (fault != 0 && n > 810) {
            break; /* the fault is told; the machine is left to its brakes */
        }
        for (int k = 0; k < 3; k++) {
            v[k] += dt * a[k];
            x[k] += dt * v[k];
        }
    }
    printf("worst_error %.9e\nfault %.9e\n", (double)worst, (double)fault);
#ifdef __arm__
    printf("instructions %.9e\n", 40.0 * spent / samples);
#else
    (void)spent;
    (void)samples;
#endif
    return fault == 4 ? 0 : 1;
}
