/* What a caller can do wrong, and what the library says: codes, never a crash. Run it under valgrind and the sanitizers. */
#include "legwork.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int mistakes = 0;

static void expect(int code, int wanted, const char *what) {
    if (code == wanted) return;
    char text[256];
    legwork_last_message(text, sizeof text);
    printf("%s: %s instead of %s (%s)\n", what, legwork_code_name(code), legwork_code_name(wanted), text);
    mistakes++;
}

int main(void) {
    legwork_robot *robot = NULL, *other = NULL;
    legwork_sizes sizes;
    double q[8], pose[3] = {0.0, 0.0, -0.8}, matrix[64];
    legwork_state state = {pose, 3, NULL, 0, NULL, 0, NULL, 0};

    /* Robots that are none. */
    expect(legwork_robot_open(NULL, &robot), LEGWORK_NULL_POINTER, "no name");
    expect(legwork_robot_open("delta-industrial", NULL), LEGWORK_NULL_POINTER, "no place for the handle");
    expect(legwork_robot_open("\xff\xfe", &robot), LEGWORK_UTF8, "a name that is no UTF-8");
    expect(legwork_robot_open("no-such-robot", &robot), LEGWORK_INVALID_ROBOT, "an unknown name");
    if (robot != NULL) mistakes++;
    expect(legwork_robot_open("/no/such/file.toml", &robot), LEGWORK_INVALID_ROBOT, "no file");
    expect(legwork_robot_from_text("family = 'delta'", 16, &robot), LEGWORK_INVALID_ROBOT, "half a file");
    expect(legwork_robot_from_text("", 0, &robot), LEGWORK_INVALID_ROBOT, "nothing");
    expect(legwork_inverse_kinematics(NULL, &state, q, 3), LEGWORK_NULL_POINTER, "no robot");
    expect(legwork_inverse_kinematics((legwork_robot *)&state, &state, q, 3), LEGWORK_NOT_A_HANDLE, "some address");
    expect(legwork_robot_free(NULL), LEGWORK_OK, "finishing nothing");

    expect(legwork_robot_open("delta-industrial", &robot), LEGWORK_OK, "a robot");
    expect(legwork_robot_sizes(robot, &sizes), LEGWORK_OK, "sizes");
    expect(legwork_robot_sizes(robot, NULL), LEGWORK_NULL_POINTER, "no place for sizes");
    expect(legwork_robot_with_payload(robot, NAN, &other), LEGWORK_INVALID_INPUT, "a payload that is no number");
    expect(legwork_robot_with_working_mode(robot, "sideways", &other), LEGWORK_INVALID_INPUT, "no working mode");
    if (legwork_name(robot, LEGWORK_JOINTS, 99) != NULL || legwork_name(robot, 77, 0) != NULL || legwork_name(NULL, 0, 0) != NULL) mistakes++;
    if (legwork_has_masses(NULL) >= 0 || legwork_built_in(100000) != NULL) mistakes++;

    /* Lists. */
    expect(legwork_inverse_kinematics(robot, NULL, q, 3), LEGWORK_NULL_POINTER, "no state");
    expect(legwork_inverse_kinematics(robot, &state, NULL, 3), LEGWORK_NULL_POINTER, "no place for the answer");
    expect(legwork_inverse_kinematics(robot, &state, q, 2), LEGWORK_LENGTH, "too little room");
    expect(legwork_inverse_kinematics(robot, &state, q, 4), LEGWORK_LENGTH, "too much room");
    state.pose_length = 2;
    expect(legwork_inverse_kinematics(robot, &state, q, 3), LEGWORK_LENGTH, "half a pose");
    state.pose_length = 1000;
    expect(legwork_inverse_kinematics(robot, &state, q, 3), LEGWORK_LENGTH, "a pose of a thousand numbers");
    state.pose = NULL;
    expect(legwork_inverse_kinematics(robot, &state, q, 3), LEGWORK_NULL_POINTER, "no pose");
    state.pose = (const double *)((const char *)pose + 1);
    state.pose_length = 2;
    expect(legwork_inverse_kinematics(robot, &state, q, 3), LEGWORK_MEMORY, "a pose where no double can be");
    state.pose = pose;
    state.pose_length = 3;
    for (int k = 0; k < 3; k++) {
        double keep = pose[k];
        pose[k] = k == 0 ? NAN : k == 1 ? INFINITY : 1e300;
        int code = legwork_inverse_kinematics(robot, &state, q, 3);
        if (code == LEGWORK_OK || !isnan(q[0])) mistakes++;
        pose[k] = keep;
    }
    expect(legwork_joint_motion(robot, &state, q, q, q + 3, 3), LEGWORK_MEMORY, "answers in one place");
    expect(legwork_mass_matrix(robot, &state, matrix, 8), LEGWORK_LENGTH, "a matrix that is too small");
    expect(legwork_forward_dynamics(robot, &state, q, 2, matrix, 3, matrix + 8, 3), LEGWORK_LENGTH, "too few efforts");
    expect(legwork_forward_kinematics(robot, pose, 3, pose, 1, q, 3), LEGWORK_LENGTH, "half a start");
    size_t count = 0;
    expect(legwork_all_inverse_kinematics(robot, &state, NULL, 0, NULL, 0, &count), LEGWORK_OK, "how many");
    if (count != 8) mistakes++;
    expect(legwork_all_inverse_kinematics(robot, &state, matrix, 3, NULL, 0, &count), LEGWORK_LENGTH, "too little room for all");
    expect(legwork_all_inverse_kinematics(robot, &state, matrix, 24, NULL, 0, NULL), LEGWORK_NULL_POINTER, "no place for the number");

    /* Batches. */
    legwork_batch batch = {1, pose, 3, NULL, 0, NULL, 0, NULL, 0};
    expect(legwork_batch_inverse_kinematics(robot, &batch, pose, 3, NULL, 0, NULL, 1), LEGWORK_MEMORY, "answers over questions");
    batch.count = 2;
    expect(legwork_batch_inverse_kinematics(robot, &batch, q, 6, NULL, 0, NULL, 1), LEGWORK_LENGTH, "rows that do not fit");
    batch.count = 0;
    batch.poses_length = 0;
    (void)legwork_batch_inverse_kinematics(robot, &batch, q, 0, NULL, 0, NULL, 1);

    /* A message in too little room is cut and has its zero. */
    char small[8];
    memset(small, 'x', sizeof small);
    size_t whole = legwork_last_message(small, sizeof small);
    if (whole < 8 || strlen(small) != 7) mistakes++;
    legwork_last_message(NULL, 0);

    /* Requests. */
    legwork_text *text = NULL;
    legwork_regulator *regulator = NULL;
    const char *bad[] = {"", "{", "{\"task\": \"dance\"}", "{\"task\": \"simulate\", \"robot\": \"nobody\"}", "{\"task\": \"simulate\", \"duraton\": 1}"};
    for (int k = 0; k < 5; k++) {
        if (legwork_run(bad[k], strlen(bad[k]), NULL, NULL, NULL, NULL, &text) == LEGWORK_OK || text != NULL) mistakes++;
        if (legwork_regulator_new(bad[k], strlen(bad[k]), &regulator) == LEGWORK_OK || regulator != NULL) mistakes++;
    }
    const char *check = "{\"task\": \"check\", \"robot\": \"five-bar\"}";
    expect(legwork_regulator_new(check, strlen(check), &regulator), LEGWORK_INVALID_REQUEST, "a regulator of another task");
    expect(legwork_regulator_step(regulator, 0.0, q, 3, NULL, 0, q, 3), LEGWORK_NULL_POINTER, "no regulator");
    expect(legwork_regulator_step((legwork_regulator *)robot, 0.0, q, 3, NULL, 0, q, 3), LEGWORK_NOT_A_HANDLE, "a robot is no regulator");
    if (legwork_text_data(NULL, NULL) != NULL) mistakes++;

    /* Targets out of reach, or no numbers, while a regulator runs: it brakes and says why. */
    const char *live = "{\"task\": \"follow\", \"robot\": \"delta-direct-drive\", \"controller\": {\"regulators\": [\"computed-torque\"], \"exact_derivatives\": true}}";
    double home[3], target[3], efforts[3], when = 0.0;
    char why[200];
    legwork_state there = {target, 3, NULL, 0, NULL, 0, NULL, 0};
    expect(legwork_regulator_live(live, strlen(live), &regulator), LEGWORK_OK, "a regulator for targets");
    expect(legwork_regulator_reference(regulator, 0.0, home, 3), LEGWORK_OK, "its joints at home");
    expect(legwork_regulator_step(regulator, 0.0, home, 3, NULL, 0, efforts, 3), LEGWORK_OK, "a sample");
    const double far_away[2] = {1e3, NAN};
    const char *words[2] = {"out of reach", "is NaN"};
    for (int n = 0; n < 2; n++) {
        target[0] = far_away[n], target[1] = 0.0, target[2] = -0.8;
        expect(legwork_regulator_set_target(regulator, &there), LEGWORK_OK, "a target where nobody can be");
        expect(legwork_regulator_reference(regulator, 1e-3, q, 3), LEGWORK_UNREACHABLE, "its joints");
        expect(legwork_regulator_step(regulator, 1e-3, home, 3, NULL, 0, efforts, 3), LEGWORK_SAFE_COMMAND, "a sample towards it");
        if (!(isfinite(efforts[0]) && isfinite(efforts[1]) && isfinite(efforts[2]))) mistakes++;
        expect(legwork_regulator_fault(regulator, &when, why, sizeof why), LEGWORK_OK, "its fault");
        if (strstr(why, words[n]) == NULL || when != 1e-3) printf("at %g s: %s\n", when, why), mistakes++;
        expect(legwork_regulator_reset(regulator), LEGWORK_OK, "anew");
    }
    expect(legwork_regulator_free(regulator), LEGWORK_OK, "finished");

    /* Handles that were finished. */
    expect(legwork_robot_free(robot), LEGWORK_OK, "finished");
    expect(legwork_robot_free(robot), LEGWORK_FINISHED, "finished twice");
    expect(legwork_inverse_kinematics(robot, &state, q, 3), LEGWORK_FINISHED, "used after its end");
    expect(legwork_robot_open("five-bar", &other), LEGWORK_OK, "another one in its place");
    expect(legwork_inverse_kinematics(robot, &state, q, 3), LEGWORK_FINISHED, "still finished");
    expect(legwork_robot_free(other), LEGWORK_OK, "finished");
    printf(mistakes == 0 ? "every mistake is seen\n" : "%d mistakes are not seen as they should\n", mistakes);
    return mistakes != 0;
}
