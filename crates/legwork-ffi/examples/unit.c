/* What an importer of a functional mock-up unit can do wrong, and what the unit says: a status of the standard and a line in the
 * log, never a crash. Run it under valgrind and the sanitizers, with a unit that was unpacked:
 *
 *     unit RESOURCES TOKEN START, the value reference of `start_x`, and of a unit with a regulator inside those of `reference_x` and
 *     `fault`, else 0 0
 */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of fmi2Functions.h, as far as they are used here. */
typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*free)(void *);
    void (*step_finished)(void *, int);
    void *environment;
} callbacks;
enum { OK = 0, WARNING = 1, DISCARD = 2, ERROR = 3 };
enum { MODEL_EXCHANGE = 0, CO_SIMULATION = 1 };
void *fmi2Instantiate(const char *, int, const char *, const char *, const callbacks *, int, int);
void fmi2FreeInstance(void *);
int fmi2SetupExperiment(void *, int, double, double, int, double);
int fmi2EnterInitializationMode(void *);
int fmi2ExitInitializationMode(void *);
int fmi2Reset(void *);
int fmi2GetReal(void *, const unsigned *, size_t, double *);
int fmi2SetReal(void *, const unsigned *, size_t, const double *);
int fmi2SetInteger(void *, const unsigned *, size_t, const int *);
int fmi2DoStep(void *, double, double, int);
int fmi2GetFMUstate(void *, void **);
int fmi2SetFMUstate(void *, void *);
int fmi2FreeFMUstate(void *, void **);
int fmi2SerializedFMUstateSize(void *, void *, size_t *);
int fmi2SerializeFMUstate(void *, void *, char *, size_t);
int fmi2DeSerializeFMUstate(void *, const char *, size_t, void **);
int fmi2SetTime(void *, double);
int fmi2SetContinuousStates(void *, const double *, size_t);
/* And of fmi3Functions.h. */
typedef void log3(void *, int, const char *, const char *);
void *fmi3InstantiateCoSimulation(const char *, const char *, const char *, bool, bool, bool, bool, const unsigned *, size_t, void *, log3 *, void *);
void fmi3FreeInstance(void *);
int fmi3GetFloat64(void *, const unsigned *, size_t, double *, size_t);
int fmi3DoStep(void *, double, double, bool, bool *, bool *, bool *, double *);
int fmi3DeserializeFMUState(void *, const char *, size_t, void **);

static int mistakes = 0, last_status = -1;
static char last[1024];

static void logged(void *environment, const char *name, int status, const char *category, const char *format, ...) {
    va_list list;
    (void)environment, (void)name, (void)category;
    va_start(list, format);
    vsnprintf(last, sizeof last, format, list);
    va_end(list);
    last_status = status;
}

static void logged3(void *environment, int status, const char *category, const char *text) {
    (void)environment, (void)category;
    snprintf(last, sizeof last, "%s", text);
    last_status = status;
}

/* A refusal has its status and words that say what is wrong. */
static void expect(int status, int wanted, const char *words, const char *what) {
    int is_told = wanted == OK || (strstr(last, words) != NULL && last_status == wanted);
    if (status != wanted || !is_told) {
        printf("%s: status %d instead of %d, logged %d «%s»\n", what, status, wanted, last_status, last);
        mistakes++;
    }
    last[0] = 0;
    last_status = -1;
}

int main(int count, char **words) {
    callbacks functions = {logged, NULL, NULL, NULL, NULL};
    if (count != 6) return 2;
    const char *resources = words[1], *token = words[2];
    const unsigned start_x = (unsigned)atoi(words[3]);
    const unsigned reference_x = (unsigned)atoi(words[4]), fault = (unsigned)atoi(words[5]);
    const int is_regulated = fault != 0;

    /* Units that are none. */
    if (fmi2Instantiate("unit", CO_SIMULATION, "{another}", resources, &functions, 0, 1) != NULL) mistakes++;
    expect(ERROR, ERROR, "they are not of one export", "another token");
    if (fmi2Instantiate("unit", CO_SIMULATION, token, "file:///no/such/folder", &functions, 0, 1) != NULL) mistakes++;
    expect(ERROR, ERROR, "cannot be read", "no resources");
    if (fmi2Instantiate(NULL, CO_SIMULATION, NULL, NULL, NULL, 0, 1) != NULL) mistakes++;
    void *exchange = fmi2Instantiate("unit", MODEL_EXCHANGE, token, resources, &functions, 0, 1);
    if (is_regulated) {
        if (exchange != NULL) mistakes++;
        expect(ERROR, ERROR, "co-simulation only", "model exchange with a regulator inside");
    } else {
        double states[2] = {NAN, 0.0};
        expect(fmi2SetTime(exchange, NAN), ERROR, "the time cannot be", "a time that is none");
        expect(fmi2SetContinuousStates(exchange, states, 2), ERROR, "continuous states", "too few states");
        fmi2FreeInstance(exchange);
    }
    /* Without a unit there is no log. */
    if (fmi2DoStep(NULL, 0.0, 0.01, 1) != ERROR || fmi2DoStep(&functions, 0.0, 0.01, 1) != ERROR) mistakes++;

    void *unit = fmi2Instantiate("unit", CO_SIMULATION, token, resources, &functions, 0, 1);
    if (unit == NULL) return printf("no unit: %s\n", last), 1;
    unsigned first = 1, far = 9999, list[2] = {1, 9999};
    double number = NAN, two[2] = {0.1, 0.2}, before = 0.0, after = 0.0;
    int whole = 1;
    expect(fmi2DoStep(unit, 0.0, 0.01, 1), ERROR, "initialization", "a step before the start");
    expect(fmi2SetupExperiment(unit, 0, 0.0, NAN, 0, 0.0), ERROR, "the time cannot be", "a start at NaN");
    expect(fmi2SetupExperiment(unit, 0, 0.0, 0.0, 0, 0.0), OK, "", "a start");
    expect(fmi2EnterInitializationMode(unit), OK, "", "initialization");
    expect(fmi2SetReal(unit, &first, 1, &number), ERROR, "cannot be NaN", "NaN as an input");
    number = INFINITY;
    expect(fmi2SetReal(unit, &first, 1, &number), ERROR, "cannot be inf", "an infinite input");
    expect(fmi2SetReal(unit, &far, 1, two), ERROR, "value reference 9999", "an unknown variable");
    /* Of a list with a bad one, nothing is set. */
    expect(fmi2GetReal(unit, &first, 1, &before), OK, "", "before");
    expect(fmi2SetReal(unit, list, 2, two), ERROR, "value reference 9999", "a list with an unknown variable");
    expect(fmi2GetReal(unit, &first, 1, &after), OK, "", "after");
    if (memcmp(&before, &after, sizeof before) != 0) mistakes++;
    expect(fmi2GetReal(unit, &far, 1, &after), ERROR, "value reference 9999", "reading an unknown variable");
    expect(fmi2SetReal(unit, NULL, 1, two), ERROR, "null", "no references");
    expect(fmi2SetReal(unit, &first, 1, NULL), ERROR, "null", "no values");
    expect(fmi2SetInteger(unit, &first, 1, &whole), ERROR, "no variables of this type", "a whole number");

    /* A start out of reach: told when the initialization ends; after a reset the unit can be used. */
    number = 1e3;
    expect(fmi2SetReal(unit, &start_x, 1, &number), OK, "", "a start a kilometre away");
    expect(fmi2ExitInitializationMode(unit), ERROR, "the start", "a start out of reach");
    expect(fmi2Reset(unit), OK, "", "a reset");
    expect(fmi2SetupExperiment(unit, 0, 0.0, 0.0, 0, 0.0), OK, "", "a start");
    expect(fmi2EnterInitializationMode(unit), OK, "", "initialization");
    expect(fmi2ExitInitializationMode(unit), OK, "", "the end of the initialization");

    /* Steps. */
    expect(fmi2DoStep(unit, 0.0, 0.0, 1), ERROR, "a step of 0 s", "a step of zero");
    expect(fmi2DoStep(unit, 0.0, -0.01, 1), ERROR, "a step of -0.01 s", "a step back");
    expect(fmi2DoStep(unit, 0.0, NAN, 1), ERROR, "a step of NaN s", "a step that is none");
    expect(fmi2DoStep(unit, 5.0, 0.01, 1), ERROR, "but the unit is at 0 s", "a step from elsewhere");
    expect(fmi2DoStep(unit, 0.0, 0.01, 1), OK, "", "a step");
    if (!is_regulated) {
        /* Motors that pull a thousand tonnes: the motion ends at a singularity or out of reach. */
        number = 1e7;
        void *state = NULL;
        expect(fmi2GetFMUstate(unit, &state), OK, "", "a state");
        expect(fmi2SetReal(unit, &first, 1, &number), OK, "", "a large effort");
        expect(fmi2DoStep(unit, 0.01, 10.0, 1), DISCARD, "after 0.01 s", "a motion that cannot go on");
        expect(fmi2SetFMUstate(unit, state), OK, "", "as it was");
        expect(fmi2FreeFMUstate(unit, &state), OK, "", "finished");
        expect(fmi2DoStep(unit, 0.01, 0.01, 1), OK, "", "a step after that");
    }

    if (is_regulated) {
        /* A reference that goes out of reach on the way: a warning that says so, the robot is braked, no number is lost. */
        double there = 0.0, flag = 0.0, far_away = 1e3;
        void *state = NULL;
        expect(fmi2GetFMUstate(unit, &state), OK, "", "a state");
        expect(fmi2GetReal(unit, &reference_x, 1, &there), OK, "", "the reference");
        expect(fmi2SetReal(unit, &reference_x, 1, &far_away), OK, "", "a reference a kilometre away");
        expect(fmi2DoStep(unit, 0.01, 0.01, 1), WARNING, "took over and brakes the robot: reference: out of reach", "a step to it");
        for (int k = 2; k < 30; k++) expect(fmi2DoStep(unit, 0.01 * k, 0.01, 1), OK, "", "a step while it brakes");
        expect(fmi2GetReal(unit, &fault, 1, &flag), OK, "", "the flag");
        if (flag != 1.0) mistakes++;
        for (unsigned k = 0; fmi2GetReal(unit, &k, 1, &flag) == OK; k++) {
            if (!isfinite(flag)) printf("variable %u is %g while it brakes\n", k, flag), mistakes++;
        }
        expect(ERROR, ERROR, "no variable", "the end of the variables");
        expect(fmi2SetReal(unit, &reference_x, 1, &there), OK, "", "the reference as it was");
        expect(fmi2DoStep(unit, 0.3, 0.01, 1), OK, "", "a fault stays");
        expect(fmi2GetReal(unit, &fault, 1, &flag), OK, "", "the flag");
        if (flag != 1.0) mistakes++;
        expect(fmi2SetFMUstate(unit, state), OK, "", "as it was");
        expect(fmi2FreeFMUstate(unit, &state), OK, "", "finished");
        expect(fmi2DoStep(unit, 0.01, 0.01, 1), OK, "", "a step without a fault");
        expect(fmi2GetReal(unit, &fault, 1, &flag), OK, "", "the flag");
        if (flag != 0.0) mistakes++;
    }

    /* States. */
    void *state = NULL, *other = NULL;
    size_t size = 0;
    expect(fmi2GetFMUstate(unit, &state), OK, "", "a state");
    expect(fmi2SerializedFMUstateSize(unit, state, &size), OK, "", "its size");
    char *bytes = malloc(size);
    expect(fmi2SerializeFMUstate(unit, state, bytes, size - 1), ERROR, "too little room", "too little room for a state");
    expect(fmi2SerializeFMUstate(unit, state, bytes, size), OK, "", "a state as bytes");
    expect(fmi2DeSerializeFMUstate(unit, bytes, size, &other), OK, "", "and back");
    expect(fmi2FreeFMUstate(unit, &other), OK, "", "finished");
    expect(fmi2DeSerializeFMUstate(unit, bytes, size - 3, &other), ERROR, "no state of this unit", "a part of the bytes");
    expect(fmi2DeSerializeFMUstate(unit, bytes, 0, &other), ERROR, "no state of this unit", "no bytes");
    for (size_t k = 0; k < size; k += 1 + size / 50) {
        bytes[k] = (char)(bytes[k] ^ 0x55);
        expect(fmi2DeSerializeFMUstate(unit, bytes, size, &other), ERROR, "no state of this unit", "bytes that were changed");
        bytes[k] = (char)(bytes[k] ^ 0x55);
    }
    void *gone = state;
    expect(fmi2FreeFMUstate(unit, &state), OK, "", "finished");
    expect(fmi2SetFMUstate(unit, gone), ERROR, "finished", "a state that was finished");
    expect(fmi2SetFMUstate(unit, NULL), ERROR, "null", "no state");
    fmi2FreeInstance(unit);
    if (fmi2DoStep(unit, 0.01, 0.01, 1) != ERROR) mistakes++;
    fmi2FreeInstance(unit);

    /* The same unit, version 3.0: its functions are in the same library. */
    unit = fmi3InstantiateCoSimulation("unit", "{another}", resources, false, true, false, false, NULL, 0, NULL, logged3, NULL);
    if (unit != NULL) mistakes++;
    expect(ERROR, ERROR, "they are not of one export", "another token, 3.0");
    unit = fmi3InstantiateCoSimulation("unit", token, resources, false, true, false, false, NULL, 0, NULL, logged3, NULL);
    if (unit == NULL) return printf("no unit: %s\n", last), 1;
    expect(fmi3GetFloat64(unit, list, 2, two, 1), ERROR, "2 value references, but 1 values", "lists of other lengths");
    bool flag;
    double time;
    expect(fmi3DoStep(unit, 0.0, 0.0, true, &flag, &flag, &flag, &time), ERROR, "initialization", "a step before the start, 3.0");
    expect(fmi3DeserializeFMUState(unit, bytes, size, &other), OK, "", "bytes of version 2.0 are the same");
    fmi3FreeInstance(unit);
    free(bytes);
    printf(mistakes == 0 ? "every mistake of an importer is seen\n" : "%d mistakes are not seen as they should\n", mistakes);
    return mistakes != 0;
}
