/* Calls one generated function of a Delta or a hexapod again and again, for callgrind: codegen_calls FUNCTION CALLS. Compiled with
 * their headers before it and -DDELTA=name -DHEXAPOD=name -DZ=height; the Delta is asked where it reaches. */
#include <stdlib.h>

#define JOINED(name, function) name##_##function
#define OF(name, function) JOINED(name, function)

int main(int count, char **words)
{
    const double x[3] = {0.1, -0.05, Z}, above[3] = {0.05, 0.0, 0.8}, r[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double v[6] = {0.1, 0.2, 0.3, 0.1, 0.2, 0.3}, w[6] = {1, 2, 3, 1, 2, 3};
    double a[6], b[6], margin = 0.0;
    if (count < 3) return 2;
    const int which = atoi(words[1]), calls = atoi(words[2]);
    for (int n = 0; n < calls; n++) {
        switch (which) {
        case 0: OF(DELTA, inverse_dynamics)(x, v, w, a, &margin); break;
        case 1: OF(DELTA, forward_dynamics)(x, v, w, a, b, &margin); break;
        case 2: OF(HEXAPOD, inverse_dynamics)(above, r, v, w, a, &margin); break;
        default: OF(HEXAPOD, forward_dynamics)(above, r, v, w, a, b, &margin); break;
        }
    }
    return margin > 0.0 ? 0 : 1;
}
