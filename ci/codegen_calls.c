/* Calls one generated function again and again, for callgrind: codegen_calls FUNCTION CALLS. */
#include "delta_industrial.h"
#include "gough_stewart.h"

#include <stdlib.h>

int main(int count, char **words)
{
    const double x[3] = {0.1, -0.05, -0.8}, above[3] = {0.05, 0.0, 0.8}, r[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double v[6] = {0.1, 0.2, 0.3, 0.1, 0.2, 0.3}, w[6] = {1, 2, 3, 1, 2, 3};
    double a[6], b[6], margin = 0.0;
    if (count < 3) return 2;
    const int which = atoi(words[1]), calls = atoi(words[2]);
    for (int n = 0; n < calls; n++) {
        switch (which) {
        case 0: delta_industrial_inverse_dynamics(x, v, w, a, &margin); break;
        case 1: delta_industrial_forward_dynamics(x, v, w, a, b, &margin); break;
        case 2: gough_stewart_inverse_dynamics(above, r, v, w, a, &margin); break;
        default: gough_stewart_forward_dynamics(above, r, v, w, a, b, &margin); break;
        }
    }
    return margin > 0.0 ? 0 : 1;
}
