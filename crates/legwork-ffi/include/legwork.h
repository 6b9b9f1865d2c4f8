/* legwork: kinematics, dynamics, regulators and tasks of parallel robots, for C and C++.
 *
 * Units         SI and radians everywhere: m, rad, kg, s, N, N m. `legwork_unit` tells the unit of each number.
 * Codes         Functions that return `int` return 0 (LEGWORK_OK) or a code below; nothing else says that a call failed.
 *               Answers hold NaN where there is none. Where the arguments themselves are refused (codes 20 to 27), what
 *               should have come out may be left as it was: look at the code before you use it.
 * Message       `legwork_last_message` gives the words about the last refused call of the same thread: what is wrong, with
 *               names and numbers, and a way out where there is one.
 * Pointers      A pointer may be null only where this file says so. A list is as many numbers as the length behind it says,
 *               readable for what goes in and writable for what comes out, where a double can be. What comes out may be where
 *               something went in, but for batches; two lists that come out share no memory. Null, wrong lengths,
 *               misplaced and shared lists are seen and refused; a length that is not that of the memory cannot be seen.
 *               Texts are UTF-8; those without a length end with a zero.
 * Handles       `legwork_robot *` and the others are numbers, not addresses: do not follow them. A handle that was finished,
 *               or is of another kind, is seen and refused. At most 1024 of each kind live at a time. Null may be finished.
 * Threads       A robot never changes: any number of threads may use one at the same time. A regulator is used by one thread
 *               at a time, any thread; a second one is refused with LEGWORK_BUSY. Cancel flags and texts may be shared.
 *               Finishing a handle waits for calls that use it.
 * Real time     Functions marked [real time] allocate nothing, take no lock that another call holds for long, read no file
 *               and look at no clock, once the handle is made. A refusal of theirs allocates nothing either, but for robots
 *               of bodies and joints, wrong lengths and forward kinematics without a solution, whose errors have texts. The
 *               system's loader may make room for the message with the first call of a thread: make one before the loop.
 * Panics        None crosses the border: LEGWORK_PANIC is a mistake in legwork, please report it. The library must be
 *               built with unwinding: CARGO_PROFILE_RELEASE_PANIC=unwind cargo build --release -p legwork-ffi
 */
#ifndef LEGWORK_H
#define LEGWORK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Codes. The first nine are also the marks of states in batches. */
enum {
    LEGWORK_OK = 0,
    LEGWORK_NOT_FINITE = 1,           /* a number is NaN or infinite, or the answer would be */
    LEGWORK_NOT_A_ROTATION = 2,       /* a matrix is no rotation */
    LEGWORK_NOT_A_FREEDOM = 3,        /* the platform cannot move or turn so */
    LEGWORK_UNREACHABLE = 4,          /* a leg does not reach */
    LEGWORK_SERIAL_SINGULARITY = 5,   /* a leg is stretched, folded or along its own axis */
    LEGWORK_PARALLEL_SINGULARITY = 6, /* the motors do not hold the platform */
    LEGWORK_NO_MASS = 7,              /* the robot has no masses, or some motion moves none */
    LEGWORK_NO_ANSWER = 8,            /* for another reason: see the message */
    LEGWORK_NULL_POINTER = 20,        /* a pointer is null that must not be */
    LEGWORK_LENGTH = 21,              /* a list has the wrong length, or a buffer is too small */
    LEGWORK_UTF8 = 22,                /* a text is not UTF-8 */
    LEGWORK_FINISHED = 23,            /* a handle was finished before */
    LEGWORK_NOT_A_HANDLE = 24,        /* a pointer is no handle of this kind */
    LEGWORK_BUSY = 25,                /* a regulator is in use in another thread */
    LEGWORK_TOO_MANY = 26,            /* there are as many handles as there can be */
    LEGWORK_MEMORY = 27,              /* lists share memory, or are where no double can be */
    LEGWORK_INVALID_ROBOT = 40,       /* a robot file cannot be read, or its numbers make no robot */
    LEGWORK_INVALID_REQUEST = 41,     /* a request cannot be read, or contradicts itself */
    LEGWORK_FILE = 42,                /* a file cannot be read or written */
    LEGWORK_CANCELLED = 43,           /* the caller cancelled the task */
    LEGWORK_TASK_FAILED = 44,         /* the task has no result */
    LEGWORK_INVALID_INPUT = 45,       /* an argument is out of its range */
    LEGWORK_SAFE_COMMAND = 60,        /* the regulator has given up, see legwork_regulator_fault: the efforts are the safe command */
    LEGWORK_PANIC = 99                /* a mistake in legwork */
};

/* Lists that `legwork_name` and `legwork_unit` know. */
enum {
    LEGWORK_COORDINATES = 0, /* of a pose: x y z, then roll pitch yaw of a platform that turns */
    LEGWORK_FREEDOMS = 1,    /* of velocities, and in their order of accelerations and wrenches: vx vy vz wx wy wz */
    LEGWORK_JOINTS = 2,      /* q1 q2 ... */
    LEGWORK_EFFORTS = 3      /* of the motors, counted at the joints */
};

typedef struct legwork_robot legwork_robot;
typedef struct legwork_regulator legwork_regulator;
typedef struct legwork_text legwork_text;
typedef struct legwork_cancel legwork_cancel;

/* How many numbers each list about a robot has. */
typedef struct legwork_sizes {
    size_t joints;
    size_t freedoms;
    size_t coordinates;
    size_t legs;
} legwork_sizes;

/* A state of the platform. The angles of a pose may be left out, and so may the angular half of the other lists. What is
 * null is zero; only `pose` must be there. */
typedef struct legwork_state {
    const double *pose;
    size_t pose_length;
    const double *velocity;
    size_t velocity_length;
    const double *acceleration;
    size_t acceleration_length;
    const double *wrench;
    size_t wrench_length;
} legwork_state;

/* States row by row: each list has `count` rows of the same width. What is null is zero; only `poses` must be there. */
typedef struct legwork_batch {
    size_t count;
    const double *poses;
    size_t poses_length;
    const double *velocities;
    size_t velocities_length;
    const double *accelerations;
    size_t accelerations_length;
    const double *wrenches;
    size_t wrenches_length;
} legwork_batch;

/* What is known of a regulator from the beginning. */
typedef struct legwork_regulator_info {
    size_t joints;
    size_t freedoms;
    size_t coordinates;
    double period;   /* between two samples [s] */
    double duration; /* of the motion and what follows it [s]; infinite for one with targets */
} legwork_regulator_info;

/* Told of progress: the share that is done and what is going on, which may be empty; anything but 0 cancels the task. It may
 * be called from several threads at the same time, and must return: no exception, no longjmp. */
typedef int (*legwork_progress)(void *user, double done, const char *what);
/* Told what should be known beside the result. The same rules. */
typedef void (*legwork_note)(void *user, const char *text);

/* --- The library ------------------------------------------------------------------------------------------------------ */

/* Its version: "0.1.0". */
const char *legwork_version(void);
/* The name of a code: "LEGWORK_UNREACHABLE"; "unknown" if it is none. */
const char *legwork_code_name(int code);
/* The words about the last refused call of this thread, with a zero behind them, cut to the room. Gives their whole length
 * without the zero; `text` may be null. */
size_t legwork_last_message(char *text, size_t text_length);

/* --- Robots ----------------------------------------------------------------------------------------------------------- */

/* The name of a built-in robot by its number from 0; null beyond the last. */
const char *legwork_built_in(size_t number);
/* A built-in robot by its name, or the robot in a file: a name with a dot or a slash in it is a file. */
int legwork_robot_open(const char *name_or_path, legwork_robot **out);
/* The robot that the text of a robot file describes. */
int legwork_robot_from_text(const char *text, size_t text_length, legwork_robot **out);
/* The same robot with this payload [kg] at the platform point. */
int legwork_robot_with_payload(const legwork_robot *robot, double payload, legwork_robot **out);
/* The same robot in this working mode: a word for each leg that has two branches ("out-in-out"), or one for all. */
int legwork_robot_with_working_mode(const legwork_robot *robot, const char *mode, legwork_robot **out);
/* The same robot led to a pose: legs without a closed form and mechanisms are followed from there, not from home. */
int legwork_robot_led_to(const legwork_robot *robot, const double *pose, size_t pose_length, legwork_robot **out);
int legwork_robot_free(legwork_robot *robot);

int legwork_robot_sizes(const legwork_robot *robot, legwork_sizes *sizes);
/* Texts that live as long as the handle; null if there is none. */
const char *legwork_robot_name(const legwork_robot *robot);
const char *legwork_name(const legwork_robot *robot, int list, size_t index);
const char *legwork_unit(const legwork_robot *robot, int list, size_t index);
/* 1 if it has masses, so that it has efforts; 0 if not; negative if it is no robot. */
int legwork_has_masses(const legwork_robot *robot);
/* What the platform carries [kg]. */
int legwork_payload(const legwork_robot *robot, double *payload);
/* Where it rests: as many numbers as there are coordinates. */
int legwork_home(const legwork_robot *robot, double *pose, size_t pose_length);
/* Limits of the joints, a list of `joints` numbers each; infinite where there is none. */
int legwork_limits(const legwork_robot *robot, double *min, double *max, double *max_effort, double *max_speed, size_t joints);

/* --- Kinematics ------------------------------------------------------------------------------------------------------- */

/* Joint values at a pose, in the robot's working mode. [real time] */
int legwork_inverse_kinematics(const legwork_robot *robot, const legwork_state *state, double *q, size_t q_length);
/* Joint values, speeds and accelerations for a motion of the platform. [real time] */
int legwork_joint_motion(const legwork_robot *robot, const legwork_state *state, double *q, double *qd, double *qdd, size_t joints);
/* The pose at which the joints are at q: for a Delta below its elbows, otherwise near a pose, or home if `near_pose` is null.
 * [real time] */
int legwork_forward_kinematics(const legwork_robot *robot, const double *q, size_t q_length, const double *near_pose, size_t near_length, double *pose, size_t pose_length);
/* Every inverse-kinematic solution, the robot's own working mode first: rows of joint values one after the other, the names of
 * their modes line by line, and how many they are. `rows` may be null with length 0 and `modes` may be null, to count them. */
int legwork_all_inverse_kinematics(const legwork_robot *robot, const legwork_state *state, double *rows, size_t rows_length, char *modes, size_t modes_length, size_t *count);
/* Every forward-kinematic solution in the robot's working mode, lowest first: rows of poses. */
int legwork_all_forward_kinematics(const legwork_robot *robot, const double *q, size_t q_length, double *rows, size_t rows_length, char *modes, size_t modes_length, size_t *count);
/* The Jacobian J in V = J dq/dt: a row for each freedom, a column for each joint, row by row. [real time] */
int legwork_jacobian(const legwork_robot *robot, const legwork_state *state, double *rows, size_t rows_length);
/* How far a pose is from a serial (the worst leg) and a parallel singularity, 0 singular and 1 best, and the condition of J. */
int legwork_singularity(const legwork_robot *robot, const legwork_state *state, double *serial, double *parallel, double *condition);

/* --- Dynamics: the robot needs masses --------------------------------------------------------------------------------- */

/* What the motors must give for a motion, friction included. [real time] */
int legwork_inverse_dynamics(const legwork_robot *robot, const legwork_state *state, double *efforts, size_t efforts_length);
/* Accelerations of the freedoms of the platform and of the joints under efforts of the motors. [real time] */
int legwork_forward_dynamics(const legwork_robot *robot, const legwork_state *state, const double *efforts, size_t efforts_length, double *platform, size_t platform_length, double *joint, size_t joint_length);
/* The mass matrix at the joints, row by row. [real time] */
int legwork_mass_matrix(const legwork_robot *robot, const legwork_state *state, double *rows, size_t rows_length);
/* The mass matrix that the platform feels in its freedoms, row by row. [real time] */
int legwork_platform_mass_matrix(const legwork_robot *robot, const legwork_state *state, double *rows, size_t rows_length);
/* Coriolis and centrifugal efforts. [real time] */
int legwork_coriolis(const legwork_robot *robot, const legwork_state *state, double *efforts, size_t efforts_length);
/* Efforts that hold the robot at rest against its weight. [real time] */
int legwork_gravity(const legwork_robot *robot, const legwork_state *state, double *efforts, size_t efforts_length);
/* Kinetic and potential energy of the whole robot [J]. [real time] */
int legwork_energies(const legwork_robot *robot, const legwork_state *state, double *kinetic, double *potential);
/* What each leg does to the platform: a row of three for each leg [N], and its part along the last link, positive if the leg
 * pushes. [real time] */
int legwork_leg_forces(const legwork_robot *robot, const legwork_state *state, double *forces, size_t forces_length, double *axial, size_t axial_length);

/* --- Many states at once ---------------------------------------------------------------------------------------------- */

/* Answers row by row. A state without an answer holds NaN and a mark, one of the first nine codes; `marks` may be null, and
 * so may `answered`, which counts the answers. `threads` 0: one for each core. The call is refused only if no state can have an
 * answer. */
int legwork_batch_inverse_kinematics(const legwork_robot *robot, const legwork_batch *batch, double *q, size_t q_length, uint8_t *marks, size_t marks_length, size_t *answered, size_t threads);
int legwork_batch_inverse_dynamics(const legwork_robot *robot, const legwork_batch *batch, double *efforts, size_t efforts_length, uint8_t *marks, size_t marks_length, size_t *answered, size_t threads);
int legwork_batch_forward_dynamics(const legwork_robot *robot, const legwork_batch *batch, const double *efforts, size_t efforts_length, double *platform, size_t platform_length, double *joint, size_t joint_length, uint8_t *marks, size_t marks_length, size_t *answered, size_t threads);
int legwork_batch_jacobian(const legwork_robot *robot, const legwork_batch *batch, double *rows, size_t rows_length, double *conditions, size_t conditions_length, uint8_t *marks, size_t marks_length, size_t *answered, size_t threads);

/* --- Regulators ------------------------------------------------------------------------------------------------------- */

/* The supervised regulator of a request in JSON, {"task": "follow", ...}, along the motion of the request; of several
 * regulators the last. */
int legwork_regulator_new(const char *request, size_t request_length, legwork_regulator **out);
/* The same along what `legwork_regulator_set_target` says, at first home; let "controller" have "exact_derivatives": true. */
int legwork_regulator_live(const char *request, size_t request_length, legwork_regulator **out);
int legwork_regulator_free(legwork_regulator *regulator);
int legwork_regulator_about(const legwork_regulator *regulator, legwork_regulator_info *info);
/* From now on the platform should be here, this fast, with this acceleration. A target that is out of reach or no number is seen
 * by the supervisor at the next step, which brakes. [real time] */
int legwork_regulator_set_target(legwork_regulator *regulator, const legwork_state *state);
/* The efforts for joints measured now, and their speeds if there are sensors for them, else null: once in each period. A sample
 * that cannot be (NaN among them) is answered by the safe command, with LEGWORK_SAFE_COMMAND from then on. [real time] */
int legwork_regulator_step(legwork_regulator *regulator, double time, const double *q, size_t q_length, const double *qd, size_t qd_length, double *efforts, size_t efforts_length);
/* Where the joints should be at a time; LEGWORK_UNREACHABLE where the platform cannot be there. [real time] */
int legwork_regulator_reference(legwork_regulator *regulator, double time, double *q, size_t q_length);
/* Where the platform should be at a time. [real time] */
int legwork_regulator_target(legwork_regulator *regulator, double time, double *pose, size_t pose_length, double *velocity, double *acceleration, size_t freedoms);
/* Begins anew. [real time] */
int legwork_regulator_reset(legwork_regulator *regulator);
/* When it gave up, NaN if it did not, and why; `text` may be null. */
int legwork_regulator_fault(legwork_regulator *regulator, double *time, char *text, size_t text_length);

/* --- Tasks ------------------------------------------------------------------------------------------------------------ */

/* Runs a request in JSON: {"task": "simulate", "robot": "delta-industrial", ...}; the keys are those of schema/requests.
 * `cancel`, `progress`, `note` and `user` may be null. A task that is cancelled gives what it has, or LEGWORK_CANCELLED. */
int legwork_run(const char *request, size_t request_length, const legwork_cancel *cancel, legwork_progress progress, legwork_note note, void *user, legwork_text **out);
/* The text of a result, JSON with a zero behind it, and its length, which may be null. It lives as long as the handle. */
const char *legwork_text_data(const legwork_text *text, size_t *length);
int legwork_text_free(legwork_text *text);
/* A flag that cancels tasks; it is set once and for all, from any thread, or by a progress function that does not return 0. */
int legwork_cancel_new(legwork_cancel **out);
int legwork_cancel_set(const legwork_cancel *cancel);
int legwork_cancel_free(legwork_cancel *cancel);

#ifdef __cplusplus
}
#endif

#endif /* LEGWORK_H */
