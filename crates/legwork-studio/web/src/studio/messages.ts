// Generated from the types of crate legwork-session by its test `messages`; do not edit.
// LEGWORK_ACCEPT=1 cargo test -p legwork-session --all-features --test messages

/** an acceleration: a number in m/s^2, or a text with one of the units m/s^2, mm/s^2, cm/s^2, in/s^2. */
export type Acceleration = (number | string);

/** A motion, sample by sample. */
export type Along = {
  /** [s], from 0 to the end. */
  times: number[];
  /** Coordinates of the platform, as of `StateAsk.values`. */
  values: number[][];
  /** As of `StateAsk.twist`. */
  twists: number[][];
  /** As of `StateAsk.acceleration`. */
  accelerations: number[][];
};

/** Which motion. */
export type AlongAsk = {
  /** A request `follow`. Default: what the robot follows if nothing is asked for, there and back. */
  request?: (FollowRequest | null);
  /** How many samples, 2 to 5000. Default: 240. */
  count?: (number | null);
};

/** How the platform came to rest at the end of its motion. */
export type Arrival = {
  /** When the reference arrives [s]; that of the feedback comes T_m later. */
  time: number;
  /**
   * How far the platform went beyond its target, along the path's last direction [m]: with a path that
   * comes from above the deepest point below the target.
   */
  overshoot: number;
  /** Largest distance from the reference of the feedback after that has arrived [m]. */
  rest: number;
  /**
   * Time from the arrival of the feedback's reference until the platform stays within [`Arrival::band`] [s];
   * nothing if it does not before the end.
   */
  settling: (number | null);
  /** [m] */
  band: number;
};

/** An assembly mode. */
export type AssemblyChoice = {
  /** Its name or number. */
  name: string;
  /** Where the platform is. */
  pose: Pose;
  /** The same as coordinates. */
  values: number[];
  /** The same in words. */
  place: string;
  /** The working mode that the legs are in, if it is known. */
  mode: (string | null);
  /** Whether the platform is there now. */
  is_here: boolean;
  /** Whether motors lead there from home. */
  is_reached_from_home: boolean;
  /** Whether its coordinates name this place. Where some follow from the others they may name another posture. */
  is_named: boolean;
  /** Whether two or more assembly modes meet there. */
  is_singular: boolean;
  /** The robot to draw. */
  skeleton: (SkeletonShape | null);
};

/** Half an axis. */
export type AxisOfEllipsoid = {
  /** Unit vector. */
  direction: [number, number, number];
  /** In the unit of its ellipsoid. */
  length: number;
};

/** A coordinate of the base. */
export type BaseCoordinate = ("x" | "y" | "z" | "roll" | "pitch" | "yaw");

/** How the frame in which poses are given moves: a robot on a ship, a sledge, a shaker. */
export type BaseRequest = {
  /** Sinusoids, added to each other. Default: none. */
  sway?: SwayRequest[];
  /**
   * A CSV file or a recording with the column `t` and some of `x`, `y`, `z`, `roll`, `pitch`, `yaw`; in between it is
   * a smooth curve. Default: none.
   */
  file?: (string | null);
  /** The same as rows that stand here. Default: none. */
  table?: (BaseRows | null);
};

/** Places of the base at given times. */
export type BaseRows = {
  /** Times in ascending order [s]. */
  times: (number | null)[];
  /** For each of them x, y, z [m], roll, pitch, yaw [rad]. */
  rows: (number | null)[][];
};

/** What holds between two rows of a table. */
export type BetweenRows = ("hold" | "linear");

/** The two ways of legs. */
export type BranchChoice = {
  /** What differs: "elbows". */
  what: string;
  /** The names of the two. */
  names: string[];
  /** How many legs have two. */
  legs: number;
};

/** What a check found. */
export type CheckResult = {
  /** Name of the robot; absent if a golden file stopped before its end. */
  robot?: (string | null);
  /** How many states were judged; absent if a golden file stopped before its end. */
  states?: (number | null);
  /** How many random states were drawn: those judged, refused and failed; absent for a golden file. */
  sampled?: (number | null);
  /** Why random states were not judged that a right robot has too: out of reach, near a singularity. */
  refused?: (StateCount[] | null);
  /** Why random states had no answer that should have had one. */
  failed?: (StateCount[] | null);
  /** The seed of random states; absent for a golden file. */
  seed?: (number | null);
  /** Whether enough states could be judged, none failed, and everything that was checked holds. */
  holds: boolean;
  /** Whether the check of a robot was cancelled before it had judged all states; absent if not. */
  interrupted?: boolean;
  /** Why a golden file stopped before its end. */
  reason?: (string | null);
  /** What was checked. */
  findings?: (FindingResult[] | null);
  /** What could not be checked of a robot, and why. */
  skipped?: (SkippedCheck[] | null);
  /** Quantities of the golden format that were not compared, and why. */
  not_compared?: (string[] | null);
  /** What the robot's file leaves open without being wrong. */
  note?: (string | null);
};

/** All of them. */
export type Choices = {
  /** Version of the library. */
  version: string;
  /** The tasks. */
  tasks: string[];
  /** `path.kind` */
  paths: Word[];
  /** `law.kind` */
  laws: Word[];
  /** `controller.regulators` */
  regulators: Word[];
  /** `solver.formulation` */
  formulations: Word[];
  /** `solver.integrator` */
  integrators: Word[];
  /** `order` of a sizing */
  orders: Word[];
  /** Formulas that code can be generated for. */
  code: Word[];
};

/** Which code. */
export type CodeAsk = {
  /** Which formulas, by the words of `Choices.code`. Default: kinematics and, with masses, dynamics. */
  what?: string[];
  /** `c`, `rust` or `st`. Default: `c`. */
  language?: string;
  /** `double` or `float`. Default: `double`. */
  precision?: string;
};

/** The code. */
export type CodeFiles = {
  /** What all names begin with. */
  name: string;
  /** The files, text. */
  files: TakenFile[];
};

/** A column of a map in a few numbers; those are absent where no pose is in reach. */
export type ColumnResult = {
  /** Its name. */
  name: string;
  /** Its unit; empty for a ratio. */
  unit: string;
  /** The least number and where it is. */
  lowest: (Place | null);
  /** The largest number and where it is. */
  highest: (Place | null);
  /** Mean over the poses in reach. */
  mean: (number | null);
};

/** What is to be written down: a request, or a state. */
export type CommandAsk = {
  /** A request as of `task`. */
  request?: (Request | null);
  /** A state; it counts if there is no request. */
  state?: StateAsk;
};

/** The same in three languages. */
export type CommandText = {
  /** The request as a file, TOML; empty for a state, which needs none. */
  toml: string;
  /** The same as JSON on one line. */
  json: string;
  /** The command line. */
  command: string;
  /** Python. */
  python: string;
};

/** A regulator, see [`legwork_core::control`]. */
export type ControllerKind = ("pd" | "pid" | "constant-inertia" | "model" | "model-shifted" | "gravity" | "computed-torque" | "platform" | "lqr" | "place" | "adaptive" | "observer");

/**
 * Which regulators, their numbers, and the robot that they know. Computed torque and the law in platform space take
 * frequency and damping only; the others take gains where they are given.
 */
export type ControllerRequest = {
  /** Which regulators, one after the other. Default: `pd`, `constant-inertia`, `model`, `model-shifted`. */
  regulators?: ControllerKind[];
  /** Time between two samples of the controller. Default: 1 ms. */
  period?: Time;
  /**
   * Gains by frequency: K_p = I ω² with the mean diagonal I of the mass matrix. Default: that of the robot's
   * `[controller]`, else 20 Hz, lowered until the fastest mode of the robot does not ring.
   */
  frequency?: (Frequency | null);
  /** Damping that belongs to it: K_d = 2ζωI. Default: that of the robot's `[controller]`, else 0.7. */
  damping?: (number | null);
  /** K_p itself [N m/rad, N/m]. */
  kp?: MotorValues;
  /** K_d itself [N m s/rad, N s/m]. */
  kd?: MotorValues;
  /**
   * K_i itself [N m/(rad s), N/(m s)], of `pid`, and of `gravity`, `constant-inertia`, `model` and `model-shifted`, which
   * have no integral without it; given, it works always. Default: K_p ω/10 of `pid`, at work only where the reference has
   * stood until the loop is at rest, so that it is nowhere worse than `pd`; none of the others.
   */
  ki?: MotorValues;
  /** What `lqr` weighs: errors, their rates, efforts. Default: as K_p and K_d would for each motor alone. */
  lqr_weights?: ([number, number, number] | null);
  /**
   * T_m of `model-shifted`: how late its feedback sees the reference, a whole number of samples. Default: the one with
   * which the linear loop follows the motion best, near the lag of the drives and half a sample.
   */
  shift?: (Time | null);
  /** Whether the mass matrix is in series with the feedback, so that axes are decoupled. Default: no. */
  decouple?: boolean;
  /** Whether derivatives of the reference are exact and not differences over three samples. Default: no. */
  exact_derivatives?: boolean;
  /** Whether the constant effort that makes the start an equilibrium is left out. Default: no. */
  no_bias?: boolean;
  /** How fast the disturbance observer of `observer` follows. Default: a third of the frequency of the gains. */
  observer_bandwidth?: (Frequency | null);
  /**
   * Largest disturbance that it believes in. Default: what K_p gives for a tenth of the error at which the supervisor stops
   * the robot.
   */
  disturbance_limit?: MotorValues;
  /** Largest payload that `adaptive` believes in. Default: the one that doubles what the motors move. */
  payload_limit?: (Mass | null);
  /** How long `adaptive` remembers what it measured. Default: 20 ms. */
  payload_memory?: (Time | null);
  /** Largest torque or force that the regulators command. Default: none. */
  command_limit?: MotorValues;
  /**
   * By how much the robot that the controller knows differs from its file, as shares; an error of the masses is also
   * one of the payload, unless `known_payload` says what it believes in. Default: not at all.
   */
  known_error?: (ModelError | null);
  /** How the controller models the forearms of a Delta. Default: as the robot's `[controller]` says, else exactly. */
  known_forearms?: (ForearmModel | null);
  /** The robot that the controller takes for its own, such as one that was identified. Default: the robot itself. */
  known_robot?: (RobotRequest | null);
  /** Mass on the platform that the controller believes in. Default: that of the robot. */
  known_payload?: (Mass | null);
  /** Whether the controller does not know what its motion picks up and puts down. Default: it knows. */
  ignores_loads?: boolean;
};

/** A coordinate of a pose. Roll, pitch and yaw turn about the fixed axes x, then y, then z. */
export type Coordinate = ("x" | "y" | "z" | "roll" | "pitch" | "yaw");

/** A coordinate of a map: a number, a text FROM..TO/COUNT with units, or a table. */
export type CoordinateRequest = (Measure | RangeRequest);

/** What the small motions are written in. */
export type Coordinates = ("joints" | "platform");

/** A place where a robot turns stable or unstable. */
export type CrossingPlace = {
  /** Where on the way. */
  parameter: number;
  /** The same in words: "21.98 deg", "46.21 % of the way". */
  at: string;
  /** Where the platform is, in words. */
  place: string;
  /** Platform point [m]. */
  position: [number, number, number];
  /** Orientation by rows. */
  rotation: [[number, number, number], [number, number, number], [number, number, number]];
  /** Whether the robot is stable beyond it. */
  stable_after: boolean;
};

/** Where a robot turns unstable on a way. */
export type CrossingResult = {
  /** Name of the robot. */
  robot: string;
  /** The way, in words. */
  path: string;
  /** First and last parameter: a joint value [rad, m], or 0 and 1 of a straight way. */
  range: [number, number];
  /** Where it turns, in the order of the way. */
  crossings: CrossingPlace[];
  /** How the samples of the way are. */
  samples: CrossingSamples;
};

/** How many samples of a way are what. */
export type CrossingSamples = {
  /** Stable. */
  stable: number;
  /** Unstable. */
  unstable: number;
  /** Out of reach or singular. */
  unreachable: number;
};

/** Moves one after the other, with rests between them and with what is picked up and put down. */
export type CycleRequest = {
  /** Where it begins. Default: home. */
  from?: (PoseRequest | null);
  /** What is picked up there. Default: nothing. */
  pick?: (Mass | null);
  /** The moves, in order. */
  moves?: MoveRequest[];
  /**
   * The timing of moves that have none of their own. Default: of `plan` the fastest; of the others the sine law as fast
   * as 10 m/s² and the robot's file allow.
   */
  law?: LawRequest;
  /** Whether moves without a timing of their own are as fast as the limits allow. Default: no; of `plan` yes. */
  fastest?: boolean;
};

/** What a cycle asks of one motor, on the motor side. */
export type Duty = {
  /** [N m] */
  peak_torque: number;
  /** [N m] */
  rms_torque: number;
  /** [rad/s] */
  peak_speed: number;
  /** [rad/s] */
  rms_speed: number;
  /** Largest inertia of load and gear over that of the rotor. */
  inertia_ratio: number;
};

/** Another number in the robot file. */
export type EditAsk = {
  /** Where, as in `EditableNumber.path`. */
  path: string;
  /** As typed: `350 mm`, or a number alone, which keeps the unit of the file. */
  value: string;
};

/** A number of the robot file. */
export type EditableNumber = {
  /** `geometry.arm` */
  path: string;
  /** The first part of the path: its table. */
  table: string;
  /** The rest. */
  key: string;
  /** As it is written, with its unit: `350 mm`. */
  text: string;
  /** As it is written, without its unit. */
  number: number;
  /** The unit that is written; may be empty. */
  written_unit: string;
  /** In SI. */
  value: number;
  /** The SI unit; empty if it is not known. */
  unit: string;
  /** Its line, from 1. */
  line: number;
  /** What it means, in words; may be empty. */
  meaning: string;
};

/** A result that parameters move, always at one pose or state of the platform. */
export type Effect = ("torque" | "shift" | "pole" | "mass");

/** A component of a result. */
export type EffectComponent = {
  /** Its name. */
  name: string;
  /** Its unit. */
  unit: string;
  /** Its value; zero for a shift. */
  value: number;
};

/**
 * Which efforts a mechanism with more motors than freedoms takes: those with the least Σ w (τ − t)². Numbers are in the
 * order of the motors; what is not given is as in the file, whose defaults give the smallest norm.
 */
export type EffortChoice = {
  /** w: what the effort of each motor counts. */
  weights?: (number[] | null);
  /** t: the effort that each motor should have [N m or N]. The part that moves nothing counts: an internal force. */
  preloads?: (number[] | null);
};

/** A file of efforts. */
export type EffortFile = {
  /** Its path. */
  path: string;
  /** What holds between two rows. Default: `hold`. */
  between?: BetweenRows;
};

/** Efforts of the motors and their parts [N m, N]. */
export type EffortParts = {
  /** What the motors give. */
  motor: number[];
  /** For the acceleration. */
  inertial: number[];
  /** For the velocity. */
  coriolis: number[];
  /** Against the weight. */
  gravity: number[];
  /** Against what pulls at the platform. */
  external: number[];
  /** Against friction. */
  friction: number[];
  /** The share of the largest effort, 1 at the limit; nothing for a motor without one. */
  share: (number | null)[];
  /** Force of each leg on the platform along its last link [N], positive pushes. */
  leg_force: number[];
};

/** Efforts at given times. Before the first row and after the last one those rows hold. */
export type EffortRows = {
  /** Times in ascending order [s]. */
  times: (number | null)[];
  /** For each of them one effort for each motor [N m, N]. */
  rows: (number | null)[][];
  /** What holds between two rows. Default: `hold`. */
  between?: BetweenRows;
};

/** What the motors are told. */
export type EffortsRequest = ("hold-home" | "hold-start" | {
  "hold-at": PoseRequest;
} | {
  constant: Measure[];
} | {
  file: EffortFile;
} | {
  table: EffortRows;
});

/** An ellipsoid about the platform point. */
export type EllipsoidShape = {
  /** `velocity`, `force`, `inertia` */
  name: string;
  /** Unit of its lengths. */
  unit: string;
  /** What it shows. */
  meaning: string;
  /** Its half axes, longest first; two for a robot in a plane. */
  axes: AxisOfEllipsoid[];
};

/** How a run ended. */
export type EndingKind = ("completed" | "stopped" | "interrupted");

/** An equation and what it comes to. */
export type Equation = {
  /**
   * What it is of: `joints`, `jacobian`, `torque`, `gravity`, `mass-matrix`, `serial`, `parallel`, `condition`, `poles`,
   * `velocity`, `force`, `inertia`.
   */
  quantity: string;
  /** What it says, in words. */
  title: string;
  /** The equation. */
  formula: string;
  /** Where it stands: a key of the bibliography and the number there; empty for a definition of this library. */
  source: string;
  /** Its letters. */
  symbols: Symbol[];
  /** The same with numbers. */
  filled: string[];
};

/** Why something cannot be answered. */
export type Failure = {
  /** What was refused. */
  kind: FailureKind;
  /** What is wrong. */
  what: string;
  /** What is behind it. */
  cause: (string | null);
  /** The way out. */
  hint: (string | null);
  /**
   * What it is about, as a path: a number of the robot file as in `EditableNumber.path`, or a value of a request such as
   * `plant.lag`. Of several problems that of the first.
   */
  field: (string | null);
  /** Everything that is wrong with a robot file; empty otherwise. */
  problems: FileProblem[];
};

/** What was refused. */
export type FailureKind = ("file" | "reach" | "request" | "message" | "panic");

/** Why a supervisor took over. */
export type FaultResult = {
  /** When [s]. */
  time: number;
  /** Why. */
  reason: string;
};

/** A piece of a map. */
export type FieldAsk = {
  /** A request `map` without its robot, the same for every piece. */
  request: MapRequest;
  /** The first row: poses that differ in the fastest coordinate alone are one. */
  from: number;
  /** The row after the last one. */
  to: number;
};

/** A column of a piece. */
export type FieldColumn = {
  /** Its name. */
  name: string;
  /** A number for each pose, little-endian doubles in base64 (`{"f64": "..."}`); NaN out of reach. */
  values: {
    [key: string]: string;
  };
};

/** What a map will be. */
export type FieldGrid = {
  /** What varies, the fastest first. */
  ranges: RangeResult[];
  /** The free coordinates that stay [m, rad]. */
  fixed: {
    [key: string]: number;
  };
  /** How many rows, each as long as the fastest range. */
  rows: number;
  /** How many poses. */
  poses: number;
  /** The numbers of each pose. */
  columns: GridColumn[];
};

/** Numbers of some rows. */
export type FieldNumbers = {
  /** The first row. */
  from: number;
  /** The row after the last one. */
  to: number;
  /** Column by column. */
  columns: FieldColumn[];
};

/** Numbers over a grid of poses. */
export type FieldResult = {
  /** Name of the robot. */
  robot: string;
  /** What was mapped. */
  quantities: Quantity[];
  /** What varies, the fastest first. */
  ranges: RangeResult[];
  /** The free coordinates that stay [m, rad]. */
  fixed: {
    pitch?: number;
    roll?: number;
    x?: number;
    y?: number;
    yaw?: number;
    z?: number;
  };
  /** How many poses there are. */
  poses: number;
  /**
   * How many of them were done; fewer if the task was cancelled. They are the first ones: the others were not computed
   * and are not out of reach.
   */
  done: number;
  /** How many of those are in reach. */
  reached: number;
  /** One for each number of a pose. */
  columns: ColumnResult[];
  /** Share of the poses in reach at which the robot is unstable, if stability was asked for. */
  unstable_share?: (number | null);
  /** The numbers, a row for each pose that was done; NaN (null) out of reach. Left out where files were written. */
  rows?: ((number | null)[][] | null);
  /** The files that were written. */
  out?: string[];
};

/** One thing that is wrong with a robot file. */
export type FileProblem = {
  /** What is wrong. */
  what: string;
  /** What to do. */
  hint: (string | null);
  /** The number that it belongs to, as in `EditableNumber.path`. */
  field: (string | null);
  /** Line, from 1. */
  line: (number | null);
  /** Column in characters, from 1. */
  column: (number | null);
  /** How many characters it is about. */
  width: (number | null);
  /** The whole line. */
  text: (string | null);
};

/** One thing that was checked. */
export type FindingResult = {
  /** What must hold. */
  name: string;
  /** Worst relative error over all states; null if it is no number. */
  worst: (number | null);
  /** Largest error that rounding explains. */
  bar: number;
  /** In how many states it was judged. */
  states: number;
  /** Why it could not be judged in others; there it does not hold. */
  failed?: StateCount[];
  /** Whether it holds. */
  holds: boolean;
};

/** Regulators that follow a path, one after the other. */
export type FollowRequest = {
  /** Which robot; it needs masses. Default: `delta-direct-drive`. */
  robot?: RobotRequest;
  /** What the platform follows. */
  path?: PathRequest;
  /** When to be where. */
  law?: LawRequest;
  /** Whether it goes as fast as the limits allow, instead of by a law. Default: no. */
  fastest?: boolean;
  /** What the fastest motion must keep to. */
  limits?: LimitsRequest;
  /** A cycle of several moves, instead of a path. Default: none. */
  cycle?: (CycleRequest | null);
  /** A motion from the rows of a file, instead of a path. Default: none. */
  motion?: (MotionRequest | null);
  /**
   * Mass that is picked up where the path begins and put down at its end: it is carried there and not back. Default:
   * none.
   */
  carry?: (Mass | null);
  /** Whether it goes back again on the same path. Default: no, unless `cycles` or `pause` is given. */
  back?: boolean;
  /** How often there and back, or through the cycle. Default: once. */
  cycles?: (number | null);
  /** Rest at each end, on the way there and back. Default: none. */
  pause?: (Time | null);
  /** How long the robot may come to rest after its motion. Default: 0.1 s. */
  settle?: (Time | null);
  /** Within this distance of its reference the platform has arrived. Default: 0.1 mm. */
  band?: (Length | null);
  /** Regulators and what they know. */
  controller?: ControllerRequest;
  /** The machine. Default: ideal but for a lag of 2 ms. */
  plant?: PlantRequest;
  /** The mathematics. */
  solver?: SolverRequest;
  /** Time from one sample to the next. Default: the period of the controller. */
  sample?: (Time | null);
  /**
   * File for every sample: `.csv`, `.parquet` or `.mcap`; with several regulators one for each, with its name before
   * the dot. Default: none.
   */
  out?: (string | null);
  /** File for a page about the runs, `.html`. Default: none. */
  report?: (string | null);
};

/** How the forearms of a Delta enter its torques. */
export type ForearmModel = ("complete" | "simplified" | "simplified-1996" | "halves");

/** How the equations of motion are written. */
export type FormulationChoice = ("minimal" | "constrained" | "projected" | "hamiltonian");

/** a frequency: a number in Hz, or a text with one of the units Hz. */
export type Frequency = (number | string);

/** Friction of every motor. */
export type FrictionRequest = {
  /** What grows with speed [N m s/rad, N s/m]. */
  viscous: number;
  /** What only has a sign, a torque or a force. Default: 0. */
  coulomb?: (Measure | null);
};

/** Which map; the robot is the one that is open. */
export type GridAsk = {
  /** A request `map` without its robot. */
  request: MapRequest;
};

/** A number of each pose. */
export type GridColumn = {
  /** Its name. */
  name: string;
  /** Its unit; empty for a ratio. */
  unit: string;
  /** Whether the numbers of a whole map are shown as multiples of the least. */
  relates_to_least: boolean;
};

/** Hankel singular values. */
export type HankelResult = {
  /** The values, largest first. */
  values: (number | null)[];
  /** Signals are weighted by exp(−shift t) where not all poles decay [1/s]. */
  shift: number;
  /** How many states matter: the others are below 1e-6 of the largest. */
  order: number;
};

/** How time goes on. */
export type IntegratorChoice = ("dopri5" | "rk4" | "euler" | "stiff" | "rattle");

/** What a cycle asks of one joint, with the motor of the robot's file. */
export type JointDemand = {
  /** Its name: `q1`. */
  name: string;
  /** Whether it slides. */
  slides: boolean;
  /** [N m or N] */
  peak_effort: number;
  /** [N m or N] */
  rms_effort: number;
  /** [rad/s or m/s] */
  peak_speed: number;
  /** [rad/s or m/s] */
  rms_speed: number;
  /** Largest power it gives [W]. */
  peak_power: number;
  /** Largest power it takes back [W]. */
  peak_braking: number;
  /** Mean power [W]. */
  mean_power: number;
  /** Least and largest inertia that it feels along the cycle, without any motor [kg m² or kg]. */
  load_inertia: [number, number];
  /** What the robot's file gives its motor, at the joint [kg m² or kg]. */
  own_inertia: number;
  /** Turns of the motor of the file for one turn of the joint; 1 without a gear. */
  gear_ratio: number;
  /** The same at the shaft of this motor, before the gear. */
  motor_side: MotorSide;
};

/** Joint values instead of a place. */
export type JointsAsk = {
  /** A number for each motor [rad, m]. */
  q: number[];
  /**
   * Where the platform was: of several places with these joint values the one that motors lead to from there. Default:
   * home.
   */
  from?: (number[] | null);
  /** As of [`StateAsk`]. */
  parts?: (StatePart[] | null);
};

/** A kind of timing law. */
export type LawKind = ("parabolic" | "cubic" | "quintic" | "sine" | "s-curve");

/**
 * When to be where on a path. With no size given a move is as fast as usual: that of the robot's `[motion]`, or at
 * most 10 m/s² within the limits of the motors.
 */
export type LawRequest = {
  /** The shape of the law. Default: that of the usual motion, mostly `sine`. */
  shape?: (LawKind | null);
  /** How long a move takes. */
  move_time?: (Time | null);
  /** Peak acceleration along the path; two numbers are those of speeding up and of braking, for `parabolic` and `sine`. */
  peak?: Acceleration[];
  /** Average speed along the path. */
  average_speed?: (Speed | null);
  /** Limits of an s-curve: speed [m/s], acceleration [m/s²], jerk [m/s³]. */
  limits?: ([Measure, Measure, Measure] | null);
};

/** a length: a number in m, or a text with one of the units m, mm, cm, um, in. */
export type Length = (number | string);

/** What a motion must keep to. */
export type LimitsRequest = {
  /** Largest torque or force of the motors, at the joints, behind the gear. Default: that of the robot's file. */
  torque_limit?: MotorValues;
  /** Largest speed of the motors, at the joints, behind the gear. Default: that of the robot's file. */
  speed_limit?: MotorValues;
  /** Largest speed along the path. Default: none. */
  path_speed?: (Speed | null);
  /** Largest acceleration along the path. Default: none. */
  acceleration?: (Acceleration | null);
  /** Largest acceleration across the path. Default: none. */
  normal_acceleration?: (Acceleration | null);
};

/** Which equations are linearised. */
export type LinearForm = ("reduced" | "constrained");

/** A linear model: ẋ = A x + B u, y = C x + D u; all numbers are differences from the pose. */
export type LinearModelResult = {
  /** `legwork-state-space-1` */
  format: string;
  /** Name of the robot. */
  robot: string;
  /** Which equations. */
  form: LinearForm;
  /** What the states are: `joints`, `platform`, `angles of the arms`. */
  coordinates: string;
  /** The pose, in words. */
  pose: string;
  /** Names of the states. */
  state_names: string[];
  /** Their units. */
  state_units: string[];
  /** Names of the inputs. */
  input_names: string[];
  /** Their units. */
  input_units: string[];
  /** Names of the outputs. */
  output_names: string[];
  /** Their units. */
  output_units: string[];
  /** A, by rows. */
  A: number[][];
  /** B, by rows. */
  B: number[][];
  /** C, by rows. */
  C: number[][];
  /** D, by rows. */
  D: number[][];
  /** Efforts that hold the robot at the pose: one row [N m, N]. */
  hold: number[][];
  /** Mass matrix of the reduced form. */
  mass?: (number[][] | null);
  /** Damping matrix of the reduced form. */
  damping?: (number[][] | null);
  /** Stiffness matrix of the reduced form. */
  stiffness?: (number[][] | null);
  /** Gains F of u = hold + F (reference − state), if they were asked for. */
  gain?: (number[][] | null);
  /** Platform point [m]. */
  position: [number, number, number];
  /** Orientation by rows. */
  rotation: [[number, number, number], [number, number, number], [number, number, number]];
  /** Whether no motion grows. */
  stable: boolean;
  /** Poles, least stable first. */
  poles: PoleResult[];
  /** Modes, least stable first. */
  modes: ModeResult[];
  /** Invariant zeros from the motors to their joints. */
  zeros: PoleResult[];
  /** What the motors can move. */
  controllable: OrderResult;
  /** What the joints show. */
  observable: OrderResult;
  /** Hankel singular values. */
  hankel: HankelResult;
  /** Poles with the gains. */
  closed_loop_poles?: (PoleResult[] | null);
  /** What is left over in the equation of the gains, relative. */
  gain_residual?: (number | null);
  /** The poles that close the loops of the constrained form. */
  loops?: (LoopResult | null);
};

/** What a [`LinearizeRequest`] gives. */
export type LinearizeResult = (LinearModelResult | CrossingResult);

/** The poles and zeros that close the loops. */
export type LoopResult = {
  /** Where they are [1/s]. */
  pole: number;
  /** How many poles there. */
  poles: number;
  /** How far they scatter [1/s]. */
  scatter: number;
  /** How many invariant zeros there. */
  zeros: number;
  /** How far those scatter [1/s]. */
  zero_scatter: number;
};

/**
 * A map of some quantities over a slice or a volume of the workspace; or, with `volume`, the size of the workspace.
 *
 * A coordinate is one number, or a range; what is not given stays at home. Without any range the map is the slice
 * through home along the first two free coordinates that are not given, as wide as the robot reaches (whole
 * millimetres), with 41 poses along each.
 */
export type MapRequest = {
  /** Which robot. */
  robot?: RobotRequest;
  /** What to map; each once. Needed unless `volume` is asked for. */
  quantities?: Quantity[];
  /** Position along x [m]. Default: home. */
  x?: (CoordinateRequest | null);
  /** Position along y [m]. Default: home. */
  y?: (CoordinateRequest | null);
  /** Position along z [m]. Default: home. */
  z?: (CoordinateRequest | null);
  /** Rotation about x [rad]. Default: home. */
  roll?: (CoordinateRequest | null);
  /** Rotation about y, after roll [rad]. Default: home. */
  pitch?: (CoordinateRequest | null);
  /** Rotation about z, after pitch; the angle of a robot in a plane [rad]. Default: home. */
  yaw?: (CoordinateRequest | null);
  /** Direction of acceleration and force, in base axes. Default: the worst one at each pose. */
  direction?: ([number, number, number] | null);
  /** Whether poses outside the limits of the motors count too. Default: no. */
  ignore_limits?: boolean;
  /** How many threads. Default: 0, one for each core. The numbers do not depend on it. */
  threads?: number;
  /** Whether the size of the workspace is asked for, instead of a map. Default: no. */
  volume?: boolean;
  /** Cells along the longest side of the workspace, 4 to 400, with `volume`. Default: 48. */
  cells?: (number | null);
  /** File for the boundary of the workspace, with `volume`: `.stl` or `.obj`. Default: none. */
  mesh?: (string | null);
  /**
   * Files for the map: `.csv` or `.parquet` for its numbers, `.svg` or `.png` for a picture, `.html` for a page.
   * Default: none.
   */
  out?: string[];
};

/** What a [`MapRequest`] gives. */
export type MapResult = (FieldResult | VolumeResult);

/** How much of a limit is left on the worst joint. */
export type MarginResult = {
  /** What is compared. */
  of: string;
  /** Its unit; empty for a plain number. */
  unit: string;
  /** The worst joint, from 1. */
  joint: number;
  /** What the cycle needs. */
  needed: (number | null);
  /** What there is. */
  available: (number | null);
  /** available/needed − 1: negative is too little; nothing if it is no finite number. */
  margin: (number | null);
  /** Whether that is less than must be left. */
  short: boolean;
};

/**
 * Margins of a regulator's sampled loop half-way along its motion, see [`LoopMargins`]: all gains, or all phases,
 * changed together. What is missing has no bound that matters.
 */
export type MarginsResult = {
  /** Whether the loop is stable. */
  stable: boolean;
  /** Phase margin [rad]. */
  phase?: (number | null);
  /** Where the loop has the gain 1 with this phase [Hz]. */
  crossover?: (number | null);
  /** By which factor the gains may grow. */
  gain_up?: (number | null);
  /** To which factor they may fall. */
  gain_down?: (number | null);
  /** Size of the largest pole z of the closed loop. */
  pole_radius: number;
  /** Damping of its least damped pole. */
  damping: number;
  /** Frequency of that pole [Hz]. */
  damping_frequency: number;
  /** The same in a line: `phase 52 deg at 21 Hz, gain 3.1 (up)`. */
  words: string;
};

/** a mass: a number in kg, or a text with one of the units kg, g. */
export type Mass = (number | string);

/** A number in SI units, or a text with a number and its unit, such as "120 mm". */
export type Measure = (number | string);

/** What is asked; the key `ask` says which. */
export type Message = ({
  ask: "robots";
} | {
  ask: "choices";
} | NumberAsk & {
  ask: "number";
} | OpenAsk & {
  ask: "open";
} | EditAsk & {
  ask: "edit";
} | VaryAsk & {
  ask: "vary";
} | StateAsk & {
  ask: "state";
} | JointsAsk & {
  ask: "joints";
} | ModesAsk & {
  ask: "modes";
} | GridAsk & {
  ask: "grid";
} | FieldAsk & {
  ask: "field";
} | AlongAsk & {
  ask: "along";
} | TaskAsk & {
  ask: "task";
} | StateAsk & {
  ask: "equations";
} | CommandAsk & {
  ask: "command";
} | CodeAsk & {
  ask: "code";
});

/** A mode. */
export type ModeResult = {
  /** Growth [1/s]; positive is unstable. */
  re: number;
  /** Angular frequency [rad/s]. */
  im: number;
  /** Frequency [Hz]. */
  frequency_hz: number;
  /** Damping ratio; absent at zero. */
  damping: (number | null);
  /** How often it is there. */
  times: number;
  /** Shapes: change of the actuated joints, the largest 1 [rad or m]. */
  motors: number[][];
  /** The same motions of the platform, rotations times the size of the platform, the largest 1 [m]. */
  platform: number[][];
  /** Share of each freedom. */
  shares: number[];
  /** Whether all parts move in step. */
  in_step: boolean;
  /** What moves. */
  words: string;
};

/** By how much a robot differs from its file; 0.1 is ten per cent more. */
export type ModelError = {
  /** Masses of all bodies and with them their inertias; the payload stays what it is. */
  mass?: number;
  /** Inertias of rotors and gears. */
  motor_inertia?: number;
  /**
   * All lengths; with them centres of mass and, with their square, inertias. Limits, angles,
   * the home position and the place in the cell stay.
   */
  length?: number;
  /** Viscous and Coulomb friction. */
  friction?: number;
};

/** All modes. */
export type Modes = {
  /** The same place with other joint values. */
  working: WorkingChoice[];
  /** The same joint values at other places; nothing if they were not asked for or cannot be found. */
  assembly: (AssemblyChoice[] | null);
  /** What may be said of the list of assembly modes. */
  statement: string;
};

/** Where. */
export type ModesAsk = {
  /** The coordinates of the platform. Default: home. */
  values?: (number[] | null);
  /** Whether assembly modes are wanted too: they may take a tenth of a second. Default: no. */
  assembly?: boolean;
};

/**
 * A motion by rows: times, and where the platform or the motors are. Between the rows it is smooth; velocities and
 * accelerations that are there are used.
 */
export type MotionRequest = ({
  file: string;
} | {
  rows: MotionRows;
});

/** Rows of a motion, in SI. */
export type MotionRows = {
  /** The names of the columns, as in a file. */
  columns: string[];
  /** The rows, each with a number for every column. */
  rows: (number | null)[][];
};

/** A motor with its limits; the numbers count at the joint. */
export type Motor = {
  /** `q1` */
  name: string;
  /** Whether it slides instead of turning. */
  slides: boolean;
  /** `rad` or `m` */
  unit: string;
  /** `N m` or `N` */
  effort_unit: string;
  /** Lower limit. */
  min: (number | null);
  /** Upper limit. */
  max: (number | null);
  /** Lower end of a slider: the limit, or a round distance from home. */
  from: number;
  /** Upper end of a slider. */
  to: number;
  /** Largest torque or force. */
  max_effort: (number | null);
  /** Largest speed. */
  max_speed: (number | null);
};

/** The order of motors that can do a cycle. */
export type MotorOrder = ("margin" | "size");

/** A motor with a gear, the same at every joint. */
export type MotorResult = {
  /** Its name. */
  motor: string;
  /** Its gear, for joints that turn. */
  gear_ratio: (number | null);
  /** Its lead, for joints that slide [m]. */
  lead: (number | null);
  /** Whether it can do the cycle. */
  feasible: boolean;
  /** The smallest margin; nothing if it is no finite number. */
  margin: (number | null);
  /** One for each comparison. */
  margins: MarginResult[];
  /** One for each joint. */
  duties: Duty[];
};

/** What a cycle asks of the motor of the robot's file, at its shaft. */
export type MotorSide = {
  /** [N m or N] */
  peak_effort: number;
  /** [N m or N] */
  rms_effort: number;
  /** [rad/s or m/s] */
  peak_speed: number;
  /** [rad/s or m/s] */
  rms_speed: number;
};

/** How far a limit is used, at the shaft of a motor with a gear. */
export type MotorSideUsage = {
  /** The limit. */
  of: number;
  /** The largest number, without its sign. */
  largest: (number | null);
};

/** One number for all motors, or a list with one for each. */
export type MotorValues = (Measure | Measure[]);

/** A table of motors, one `[[motor]]` for each. */
export type MotorsRequest = ("sample" | {
  file: string;
} | {
  text: string;
});

/** A move of a cycle, from where the one before it ends. */
export type MoveRequest = {
  /** Where it ends. */
  to: PoseRequest;
  /** What kind of path. Default: a line. */
  path?: (PathKind | null);
  /** Points on the way: one for an arc, any number for way-points. Default: none. */
  via?: PoseRequest[];
  /** As in a path of its own. */
  height?: (Length | null);
  /** As in a path of its own. */
  lift?: (Length | null);
  /** As in a path of its own. */
  lower?: (Length | null);
  /** As in a path of its own. */
  corner?: (Length | null);
  /**
   * Where the corner to the next move begins to be rounded, from where both would meet: the platform does not stop
   * there. Both are lines. Default: it stops.
   */
  blend?: (Length | null);
  /** When to be where. Default: the timing of the cycle. */
  law?: (LawRequest | null);
  /** Whether it is as fast as the limits allow. Default: as the cycle says. */
  fastest?: (boolean | null);
  /** Rest at its end. Default: none. */
  dwell?: (Time | null);
  /** What is picked up when it has arrived. Default: nothing. */
  pick?: (Mass | null);
  /** Whether what is carried is put down when it has arrived. Default: no. */
  put?: boolean;
};

/** A move from rest to rest, or several that are joined by blends. */
export type MoveResult = {
  /** The first and the last move of the cycle in it, from 1. */
  moves: [number, number];
  /** The kind of path, or `blended lines`. */
  path: string;
  /** Its length [m]. */
  length: number;
  /** The kind of law, or `fastest`. */
  law: string;
  /** When it begins [s]. */
  begin: number;
  /** How long it takes [s]. */
  duration: number;
  /** Rest at its end [s]. */
  dwell: number;
  /** What is carried on the way, besides what the robot carries all the time [kg]. */
  carried: number;
  /** What holds it back, if it is as fast as the limits allow. */
  fastest?: (WayResult | null);
};

/** A number that was typed, with its unit or in SI. */
export type NumberAsk = {
  /** As typed: `50 mm`, `3 deg`, `0.05`. */
  text: string;
  /** What it is called in a refusal. */
  name: string;
  /** The SI unit of what it should be: `m`, `rad`, `m/s`. */
  unit: string;
};

/** Which robot to open: one by its name, or the text of a robot file. */
export type OpenAsk = {
  /** A built-in name; with `text` what its file is called, without an ending. */
  name?: (string | null);
  /** A robot file, TOML. */
  text?: (string | null);
  /** The way of each leg that has two. Default: that of the file. */
  working_mode?: (string | null);
  /** What the platform carries. Default: the payload of the file. */
  payload?: (Mass | null);
};

/** How many states can be moved or seen. */
export type OrderResult = {
  /** So many. */
  order: number;
  /** Of so many. */
  states: number;
  /** Singular values, step by step of the staircase. */
  singular_values: number[][];
  /** The smallest that counts. */
  smallest_kept: (number | null);
  /** The largest that does not. */
  largest_dropped: (number | null);
};

/** What kind of page. */
export type PageKind = ("interactive" | "static");

/** The smallest distance to a parallel singularity. */
export type ParallelClearance = {
  /** In the measure of [`Singularity`](crate::Singularity). */
  distance: number;
  /** Where on the path [m]. */
  at: number;
};

/** What one parameter does. */
export type ParameterResult = {
  /** Where it is: `geometry.arm`. */
  name: string;
  /** Its value. */
  value: number;
  /** Its unit. */
  unit: string;
  /** Change of each component per unit of the parameter. */
  slopes: (number | null)[];
  /** The component that it moves most, from 0. */
  strongest: number;
  /** Change of that component for one per cent more of the parameter. */
  change_per_percent: (number | null);
  /** Per cent of the largest component per per cent of the parameter; null where all are zero. */
  percent_per_percent: (number | null);
};

/** A part of the path with one limit. */
export type PartResult = {
  /** From here [m]. */
  from: number;
  /** To here [m]. */
  to: number;
  /** When it begins [s]. */
  begin: number;
  /** When it ends [s]. */
  end: number;
  /**
   * What holds the motion back: `least effort`, `largest effort`, `motor speed`, `path speed`,
   * `tangential acceleration`, `normal acceleration` or `nothing`.
   */
  limit: string;
  /** Of which motor, from 1. */
  motor: (number | null);
  /** The limit itself, with its sign where it is an effort. */
  at?: (number | null);
  /** Its unit. */
  unit?: (string | null);
};

/** A kind of path. */
export type PathKind = ("semi-ellipse" | "line" | "arc" | "pick-and-place" | "way-points" | "turn");

/**
 * What the platform follows. With nothing given it is the usual path of the task: of `follow` the `[motion]` of the
 * robot's file, or a path about home that fits the robot; of `plan` and `size` the Adept cycle about home.
 */
export type PathRequest = {
  /** What kind of path. Default: that of the usual path. */
  kind?: (PathKind | null);
  /** Where it begins. Default: where the usual path does. */
  from?: (PoseRequest | null);
  /** Where it ends; the platform turns on the way if its orientation differs. Default: where the usual path does. */
  to?: (PoseRequest | null);
  /**
   * Points on the way: one for an arc, any number for way-points. Default: none; an arc then goes through the point
   * that lies the height above the middle of the way.
   */
  via?: PoseRequest[];
  /**
   * Height of a semi-ellipse above the middle of its ends, and of an arc without a point on the way; how far a
   * pick-and-place cycle crosses above the higher one of its ends. Default: 0.24 of the way.
   */
  height?: (Length | null);
  /**
   * How far a pick-and-place cycle goes up from where it begins, instead of `height`. Default: as far as makes the way
   * across level.
   */
  lift?: (Length | null);
  /**
   * How far a pick-and-place cycle goes down to where it ends, instead of `height`. Default: as far as makes the way
   * across level.
   */
  lower?: (Length | null);
  /**
   * Where the corners of a pick-and-place cycle begin, from where straight lines would meet. Default: 0.8 of the
   * shorter one of lift and lowering, or of half the way across if that is less.
   */
  corner?: (Length | null);
};

/** A peak, and when and where it is. */
export type PeakPlace = {
  /** Its value, with its sign. */
  value: (number | null);
  /** When [s]. */
  time: number;
  /** The coordinates of the platform there [m, rad]. */
  at: number[];
  /** The same in words: "(-152.5, 0.0, -775.0) mm". */
  place: string;
};

/** The peaks of one motor. */
export type PeakResult = {
  /** Its name: `q1`. */
  joint: string;
  /** Whether it slides. */
  slides: boolean;
  /** Torque or force [N m or N]. */
  effort: PeakPlace;
  /** [rad/s or m/s] */
  speed: PeakPlace;
  /** Power that it gives, negative where it takes back more [W]. */
  power: PeakPlace;
};

/** A mass that is picked up. */
export type PickRequest = {
  /** When. */
  at: Time;
  /** How much. */
  mass: Mass;
};

/** A number and where it is. */
export type Place = {
  /** The number. */
  value: number;
  /** Its pose: all six coordinates [m, rad]. */
  coordinates: [number, number, number, number, number, number];
};

/** Position and orientation apart. */
export type PlacedPose = {
  /** Platform point: X Y Z, or those of them that are free [m]. */
  position: Measure[];
  /** Roll, pitch, yaw, or the one angle of a planar robot [rad]. */
  orientation?: (Measure[] | null);
  /** The same as a quaternion W X Y Z. */
  quaternion?: ([number, number, number, number] | null);
  /** The same as a matrix by rows. */
  rotation?: ([[number, number, number], [number, number, number], [number, number, number]] | null);
};

/** What the simulated machine has that the ideal one has not. Everything counts at the joints, behind the gear. */
export type PlantRequest = {
  /** Current lag of the motors, first order. Default: none in an open loop, 2 ms in a closed one. */
  lag?: (Time | null);
  /** Largest torque or force of the motors. Default: none. */
  effort_limit?: MotorValues;
  /** Fastest change of a motor's torque or force [N m/s, N/s]. Default: none. */
  rate_limit?: MotorValues;
  /** Speed beyond which a motor does not drive; its last 5 % fade. Default: none. */
  speed_limit?: MotorValues;
  /** Whether the limits of torque and speed in the robot's file hold where no others are given. Default: no. */
  file_limits?: boolean;
  /** Friction besides that of the file. Default: none. */
  friction?: (FrictionRequest | null);
  /** Soft stops at the limits of the joints in the file. Default: nothing stops a joint. */
  stops?: (StopsRequest | null);
  /** One step of the encoders. Default: they read exactly. */
  encoder?: MotorValues;
  /** Standard deviation of the noise before the encoder counts. Default: none. */
  noise?: MotorValues;
  /** How late the encoders are read. Default: at once. */
  delay?: (Time | null);
  /** Seed of the noise. Default: 1998. */
  seed?: (number | null);
  /** By how much the machine differs from the robot's file, as shares. Default: not at all. */
  model_error?: (ModelError | null);
  /** Masses that are picked up in motion, besides what is carried all the time. Default: none. */
  pick?: PickRequest[];
  /** When what was picked up is put down. Default: never. */
  put?: Time[];
  /** Forces for a time. Default: none. */
  push?: PushRequest[];
  /** How the base moves; poses and speeds are those that it sees. Default: not at all. */
  base?: (BaseRequest | null);
};

/** A coordinate of the platform. */
export type PlatformCoordinate = {
  /** `x` */
  name: string;
  /** `m` or `rad` */
  unit: string;
  /** Whether it is an angle. */
  turns: boolean;
  /** Whether it can be chosen; one that follows from the others cannot. */
  is_free: boolean;
  /** At home. */
  home: number;
  /** How far the robot reaches from home along this coordinate alone, below home. */
  from: number;
  /** The same above home. */
  to: number;
};

/** A pole. */
export type PolePlace = {
  /** Real part [1/s]. */
  re: number;
  /** Imaginary part [1/s]. */
  im: number;
  /** Whether it is right of the imaginary axis by more than rounding. */
  grows: boolean;
};

/** A pole [1/s]: a number, or a text such as "-8+6j". */
export type PoleRequest = (number | string);

/** A pole or a zero. */
export type PoleResult = {
  /** Growth [1/s]; positive is unstable. */
  re: number;
  /** Angular frequency [rad/s]. */
  im: number;
  /** Frequency [Hz]. */
  frequency_hz: number;
  /** Damping ratio; absent at zero. */
  damping: (number | null);
};

/** Where the platform is, in base axes or in those of the cell. */
export type Pose = {
  /** Platform point [m]. */
  position: [number, number, number];
  /** Orientation as a quaternion w, x, y, z. */
  quaternion: [number, number, number, number];
};

/**
 * A pose: a list of the robot's coordinates, as on the command line (X Y Z, then ROLL PITCH YAW if the platform
 * turns), or a table with position and orientation.
 */
export type PoseRequest = (Measure[] | PlacedPose);

/** What the program prints for a command. */
export type Printed = {
  /** The command. */
  command: string;
  /** All that it prints. */
  text: string;
  /** Of that, the lines above the table of the motors. */
  heading: string[];
  /** The table of the motors; its first row names them. */
  rows: PrintedRow[];
  /** What is out of its limits. */
  notes: string[];
};

/** A row of the table. */
export type PrintedRow = {
  /** What it is, with its unit. */
  name: string;
  /** A cell for each motor, in the printed digits. */
  cells: string[];
  /** The equation it comes from, as in `Equation.quantity`; nothing where there is none. */
  quantity: (string | null);
};

/** A force, and a moment if the platform turns, for a time. */
export type PushRequest = {
  /** When it begins. */
  from: Time;
  /** When it ends. */
  until: Time;
  /** Force [N], then moment about the platform point [N m], in base axes. */
  wrench: Measure[];
};

/** What a map shows. */
export type Quantity = ("reachable" | "condition" | "serial" | "parallel" | "amplification" | "mass-matrix" | "gravity" | "acceleration" | "force" | "passive" | "stability");

/** What a map can show. */
export type QuantityChoice = {
  /** Its word in a request. */
  name: string;
  /** What it is. */
  meaning: string;
  /** Whether the sign of its numbers matters. */
  is_signed: boolean;
};

/** Values of a coordinate, equally far apart, both ends included. */
export type RangeRequest = {
  /** The first [m, rad]. */
  from: Measure;
  /** The last [m, rad]. */
  to: Measure;
  /** How many, 2 at least. Default: 41. */
  count?: number;
};

/** A coordinate that varies. */
export type RangeResult = {
  /** Which one. */
  coordinate: Coordinate;
  /** `m` or `rad`. */
  unit: string;
  /** The first value. */
  from: number;
  /** The last value. */
  to: number;
  /** How many values. */
  count: number;
};

/** A parameter without a robot on both sides of its value. */
export type RefusedParameter = {
  /** Where it is. */
  name: string;
  /** Why there is none. */
  reason: string;
};

/** What one regulator did. Errors are taken against the reference that its feedback is given, over the whole run. */
export type RegulatorResult = {
  /** Which one. */
  regulator: ControllerKind;
  /** K_p of each motor [N m/rad, N/m]. */
  kp: (number | null)[];
  /** K_d of each motor [N m s/rad, N s/m]. */
  kd: (number | null)[];
  /** K_i of each motor [N m/(rad s), N/(m s)], if it has an integral. */
  ki?: number[];
  /** T_m [s], of `model-shifted`. */
  shift?: (number | null);
  /** How far its loop is from its edge; nothing where it cannot be judged. */
  margins?: (MarginsResult | null);
  /** The constant effort of each motor [N m, N]. */
  bias: (number | null)[];
  /** Errors of turning motors [rad], if there are any. */
  turning_error: (Spread | null);
  /** Errors of sliding motors [m], if there are any. */
  sliding_error: (Spread | null);
  /** Errors of the platform's position [m]. */
  position_error: Spread;
  /** Errors of its orientation [rad], if it turns. */
  orientation_error: (Spread | null);
  /**
   * By how much its largest error at the motors is smaller than that of the first regulator; nothing if that is no
   * number, or if one of the two runs was not regulated up to its end.
   */
  joint_factor: (number | null);
  /** The same of the platform: of its position, or of its orientation if it only turns. */
  platform_factor: (number | null);
  /** Largest torque that turning motors give [N m], at the joint. */
  peak_torque: (number | null);
  /** Largest force that sliding motors give [N], at the joint. */
  peak_force: (number | null);
  /** Largest torque at the shafts of turning motors, before their gears [N m]; nothing without gears. */
  peak_motor_torque?: (number | null);
  /** Largest torque that is asked of turning motors [N m]: more than they give if they lag or are limited. */
  asked_torque: (number | null);
  /** Largest force that is asked of sliding motors [N]. */
  asked_force: (number | null);
  /** The last arrival; nothing if the run did not get there or was not regulated up to there. */
  arrival: (Arrival | null);
  /** What it believes to carry at the end [kg], of `adaptive`. */
  payload?: (number | null);
  /** Why and when the supervisor took over. */
  fault: (FaultResult | null);
  /** How the run ended, in words. */
  ending: string;
  /** The same in one word. */
  ended: EndingKind;
  /** Largest error of the energy balance [J]. */
  energy_imbalance: (number | null);
  /** Largest loop gap [m]. */
  loop_gap: (number | null);
  /** Steps of the integrator. */
  steps: number;
};

/** A page that was written. */
export type ReportResult = {
  /** Where it is. */
  out: string;
  /** What kind of page. */
  page: PageKind;
  /** The names of the runs in it. */
  runs: string[];
};

/** A request of any task; its key `task` says which. */
export type Request = ({
  task: "simulate";
  /** Which robot; it needs masses. Default: `delta-direct-drive`. */
  robot?: RobotRequest;
  /** Where the platform starts. Default: home. */
  from?: (PoseRequest | null);
  /** Its velocity there: linear [m/s], then angular [rad/s] if it turns. Default: at rest. */
  velocity?: Measure[];
  /**
   * Force of the environment on the platform all the time [N], then its moment about the platform point [N m].
   * Default: none.
   */
  force?: Measure[];
  /** What the motors are told. Default: what would hold the robot at home. */
  efforts?: EffortsRequest;
  /** How long the run is. Default: 1 s. */
  duration?: Time;
  /** Time from one sample to the next. Default: 10 ms. */
  sample?: Time;
  /** The machine. Default: ideal. */
  plant?: PlantRequest;
  /** The mathematics. */
  solver?: SolverRequest;
  /** Whether every sample is in the result, not only five of them. Default: no. */
  keep_samples?: boolean;
  /** File for every sample: `.csv`, `.parquet` or `.mcap`. Default: none. */
  out?: (string | null);
  /** File for a page about the run, `.html`. Default: none. */
  report?: (string | null);
} | {
  task: "follow";
  /** Which robot; it needs masses. Default: `delta-direct-drive`. */
  robot?: RobotRequest;
  /** What the platform follows. */
  path?: PathRequest;
  /** When to be where. */
  law?: LawRequest;
  /** Whether it goes as fast as the limits allow, instead of by a law. Default: no. */
  fastest?: boolean;
  /** What the fastest motion must keep to. */
  limits?: LimitsRequest;
  /** A cycle of several moves, instead of a path. Default: none. */
  cycle?: (CycleRequest | null);
  /** A motion from the rows of a file, instead of a path. Default: none. */
  motion?: (MotionRequest | null);
  /**
   * Mass that is picked up where the path begins and put down at its end: it is carried there and not back. Default:
   * none.
   */
  carry?: (Mass | null);
  /** Whether it goes back again on the same path. Default: no, unless `cycles` or `pause` is given. */
  back?: boolean;
  /** How often there and back, or through the cycle. Default: once. */
  cycles?: (number | null);
  /** Rest at each end, on the way there and back. Default: none. */
  pause?: (Time | null);
  /** How long the robot may come to rest after its motion. Default: 0.1 s. */
  settle?: (Time | null);
  /** Within this distance of its reference the platform has arrived. Default: 0.1 mm. */
  band?: (Length | null);
  /** Regulators and what they know. */
  controller?: ControllerRequest;
  /** The machine. Default: ideal but for a lag of 2 ms. */
  plant?: PlantRequest;
  /** The mathematics. */
  solver?: SolverRequest;
  /** Time from one sample to the next. Default: the period of the controller. */
  sample?: (Time | null);
  /**
   * File for every sample: `.csv`, `.parquet` or `.mcap`; with several regulators one for each, with its name before
   * the dot. Default: none.
   */
  out?: (string | null);
  /** File for a page about the runs, `.html`. Default: none. */
  report?: (string | null);
} | {
  task: "plan";
  /** Which robot; it needs masses. Default: `delta-direct-drive`. */
  robot?: RobotRequest;
  /**
   * What the platform follows. Default: the Adept cycle about home, 25 mm up, 305 mm across, 25 mm down; half an ellipse
   * that fits, where it does not.
   */
  path?: PathRequest;
  /** What the motion must keep to. */
  limits?: LimitsRequest;
  /** A cycle of several moves, instead of a path. Default: none. */
  cycle?: (CycleRequest | null);
  /**
   * Mass that is picked up where the path begins and put down at its end: it is carried there and not back. Default:
   * none.
   */
  carry?: (Mass | null);
  /** Whether it only goes there. Default: there and back. */
  one_way?: boolean;
  /** Rest at each end. Default: none. */
  pause?: (Time | null);
  /** Intervals of the grid. Default: as many as keep the limits. */
  intervals?: (number | null);
  /** Files for the motion (`.csv`, `.parquet`, `.mcap`), for pictures (`.svg`, `.png`) and for a page (`.html`). Default: none. */
  out?: string[];
  /** Time from one row of the motion to the next. Default: 1 ms. */
  sample?: Time;
} | {
  task: "size";
  /** Which robot; it needs masses. Default: `delta-direct-drive`. */
  robot?: RobotRequest;
  /**
   * What the platform follows. Default: the Adept cycle about home, 25 mm up, 305 mm across, 25 mm down; half an ellipse
   * that fits, where it does not.
   */
  path?: PathRequest;
  /** When to be where. Default: the sine law as fast as 10 m/s² and the robot's file allow. */
  law?: LawRequest;
  /** Whether it goes as fast as the limits allow, instead of by a law. Default: no. */
  fastest?: boolean;
  /** What the fastest motion must keep to. */
  limits?: LimitsRequest;
  /** A cycle of several moves, instead of a path. Default: none. */
  cycle?: (CycleRequest | null);
  /** A motion from the rows of a file, instead of a path. Default: none. */
  motion?: (MotionRequest | null);
  /**
   * Mass that is picked up where the path begins and put down at its end: it is carried there and not back. Default:
   * none.
   */
  carry?: (Mass | null);
  /** Whether it only goes there. Default: there and back. */
  one_way?: boolean;
  /** Rest at each end. Default: none. */
  pause?: (Time | null);
  /** A table of motors: `"sample"`, a `file` or its `text`. Default: none. */
  motors?: (MotorsRequest | null);
  /** Largest inertia of the load over that of the rotor. Default: none. */
  inertia_ratio?: (number | null);
  /** What must be left of every limit, as a share. Default: 0. */
  reserve?: number;
  /** What comes first among the motors that can do it. Default: `margin`. */
  by?: MotorOrder;
  /** Files for the motion (`.csv`, `.parquet`, `.mcap`), for pictures (`.svg`, `.png`) and for a page (`.html`). Default: none. */
  out?: string[];
  /** Time from one row of the motion to the next. Default: 1 ms. */
  sample?: Time;
} | {
  task: "map";
  /** Which robot. */
  robot?: RobotRequest;
  /** What to map; each once. Needed unless `volume` is asked for. */
  quantities?: Quantity[];
  /** Position along x [m]. Default: home. */
  x?: (CoordinateRequest | null);
  /** Position along y [m]. Default: home. */
  y?: (CoordinateRequest | null);
  /** Position along z [m]. Default: home. */
  z?: (CoordinateRequest | null);
  /** Rotation about x [rad]. Default: home. */
  roll?: (CoordinateRequest | null);
  /** Rotation about y, after roll [rad]. Default: home. */
  pitch?: (CoordinateRequest | null);
  /** Rotation about z, after pitch; the angle of a robot in a plane [rad]. Default: home. */
  yaw?: (CoordinateRequest | null);
  /** Direction of acceleration and force, in base axes. Default: the worst one at each pose. */
  direction?: ([number, number, number] | null);
  /** Whether poses outside the limits of the motors count too. Default: no. */
  ignore_limits?: boolean;
  /** How many threads. Default: 0, one for each core. The numbers do not depend on it. */
  threads?: number;
  /** Whether the size of the workspace is asked for, instead of a map. Default: no. */
  volume?: boolean;
  /** Cells along the longest side of the workspace, 4 to 400, with `volume`. Default: 48. */
  cells?: (number | null);
  /** File for the boundary of the workspace, with `volume`: `.stl` or `.obj`. Default: none. */
  mesh?: (string | null);
  /**
   * Files for the map: `.csv` or `.parquet` for its numbers, `.svg` or `.png` for a picture, `.html` for a page.
   * Default: none.
   */
  out?: string[];
} | {
  task: "linearize";
  /** Which robot; it needs masses. */
  robot?: RobotRequest;
  /** Where the platform is. Default: home. */
  pose?: (PoseRequest | null);
  /** Joint values instead of a pose [rad, m]; of several poses with them the one nearest to home. */
  joints?: (Measure[] | null);
  /** Which equations. Default: `reduced`. */
  form?: LinearForm;
  /** Coordinates of the reduced form. Default: `joints`; `platform` with more motors than freedoms. */
  coordinates?: (Coordinates | null);
  /** How fast the constrained form closes its loops [1/s]. Default: 5. */
  pole?: (number | null);
  /** Damping of the three angles of every arm of a Delta [N m s/rad]. Default: the friction of its motors. */
  damping?: ([number, number, number] | null);
  /** Whether the motors balance the weight at every pose, not only at this one. Default: no. */
  gravity_compensation?: boolean;
  /** Weights qx, qv, r: gains that minimise qx x² + qv v² + r u² over time. Default: no gains. */
  lqr?: ([number, number, number] | null);
  /** Gains that put the poles here [1/s], two for each freedom. Default: no gains. */
  place?: (PoleRequest[] | null);
  /** Whether to find where the robot turns unstable, instead of a model. Default: no. */
  crossing?: boolean;
  /**
   * The other end of the straight way on which `crossing` looks. Default: all motors move alike between the limits
   * of the first one; those of a Delta without limits between -45 and 85 degrees.
   */
  to?: (PoseRequest | null);
  /** File for the model: `.json` or `.npz`. Default: none. */
  out?: (string | null);
} | {
  task: "sensitivity";
  /** Which robot; it needs masses unless `of` is `shift`. */
  robot?: RobotRequest;
  /** Which result. Default: `torque`. */
  of?: Effect;
  /** Where the platform is. Default: home. */
  pose?: (PoseRequest | null);
  /** Platform velocity, for torques [m/s, rad/s]. Default: at rest. */
  velocity?: (Measure[] | null);
  /** Platform acceleration, for torques [m/s², rad/s²]. Default: none. */
  acceleration?: (Measure[] | null);
  /** Only the strongest so many. Default: all. */
  top?: (number | null);
  /** Whether to take differences over the numbers of the file for a Delta too. Default: no. */
  from_file?: boolean;
} | {
  task: "check";
  /** Which robot; not with `golden`. */
  robot?: (RobotRequest | null);
  /** A golden file, JSON; it brings its robot and its states. Default: none. */
  golden?: (string | null);
  /** How many random states. Default: 200. */
  states?: (number | null);
  /** Seed of the random states. Default: 1998. */
  seed?: (number | null);
} | {
  task: "report";
  /** Files of recordings: `.csv`, `.parquet` or `.mcap`; one at least. */
  recordings?: string[];
  /** File for the page, `.html`. */
  out?: string;
  /** Heading of the page. Default: the robot and the names of the files. */
  title?: (string | null);
  /** Whether the page has no script: plots are pictures, the robot does not move. Default: no. */
  is_static?: boolean;
});

/** A robot that comes with the library. */
export type RobotListEntry = {
  /** Its name. */
  name: string;
  /** Name of its family. */
  family: string;
  /** What its family is, in words. */
  sentence: string;
  /** "3 turn" */
  motors: string;
  /** Names of the platform's free coordinates. */
  freedoms: string[];
  /** How many legs. */
  legs: number;
  /** Whether it has masses, so that it has torques. */
  masses: boolean;
  /** Where its numbers come from. */
  source: (string | null);
};

/** The robot of a request: a name alone, or a table with what differs from its file. */
export type RobotRequest = (string | Table);

/** Everything about a robot that does not depend on where it is. */
export type RobotSheet = {
  /** Its name. */
  name: string;
  /** Name of its family. */
  family: string;
  /** What its family is, in words. */
  meaning: string;
  /** Where its numbers come from. */
  source: (string | null);
  /** What a reader should know about them. */
  note: (string | null);
  /** Its file, TOML: this is what is saved. */
  text: string;
  /** Whether it is a built-in robot as it comes. */
  is_built_in: boolean;
  /** As `legwork show` prints it. */
  summary: string;
  /** Numbers that can hardly be meant, in words. */
  doubts: string[];
  /** Where the platform can be: its coordinates as they are read and shown. */
  coordinates: PlatformCoordinate[];
  /** Names of the components of twist, acceleration and wrench, in order: `vx`. */
  velocities: string[];
  /** Its motors. */
  motors: Motor[];
  /** Where it rests. */
  home: Pose;
  /** The same as coordinates. */
  home_values: number[];
  /** Whether it has masses, so that it has torques. */
  has_masses: boolean;
  /** The working mode it is in. */
  working_mode: string;
  /** The two ways of its legs, if they have two. */
  branches: (BranchChoice | null);
  /** What the platform carries [kg]. */
  payload: number;
  /** All numbers of its file. */
  numbers: EditableNumber[];
  /** What maps of it can show. */
  quantities: QuantityChoice[];
  /** Whether its file says what it follows if no path is asked for. */
  has_motion: boolean;
  /** A length to scale views by [m]. */
  size: number;
  /** A length to scale handles by [m]. */
  platform_size: number;
};

/** Samples with the names and units of their columns. */
export type SampleTable = {
  /** Names. */
  columns: string[];
  /** Units. */
  units: string[];
  /** A list for each sample. */
  rows: (number | null)[][];
};

/** What parameters do to a result. */
export type SensitivityResult = {
  /** Name of the robot. */
  robot: string;
  /** Which result. */
  of: Effect;
  /** Where the platform is, in words. */
  pose: string;
  /** Platform point [m]. */
  position: [number, number, number];
  /** Orientation by rows. */
  rotation: [[number, number, number], [number, number, number], [number, number, number]];
  /** Whether the slopes are exact, not differences. */
  exact: boolean;
  /** The components of the result. */
  results: EffectComponent[];
  /** The parameters, strongest first, as many as were asked for. */
  parameters: ParameterResult[];
  /** Names of all parameters that move nothing. */
  no_effect: string[];
  /** Parameters without a robot on both sides of their value. */
  refused: RefusedParameter[];
};

/** The smallest distance to a serial singularity. */
export type SerialClearance = {
  /** In the measure of [`Singularity`](crate::Singularity). */
  distance: number;
  /** Where on the path [m]. */
  at: number;
  /** Of which leg, from 1. */
  leg: number;
};

/** A measure of singularity in words. */
export type SingularityLine = {
  /** `serial`, `parallel`, `condition` */
  name: string;
  /** The number with what it means. */
  text: string;
  /** Whether it is close to a singularity. */
  is_near: boolean;
};

/** Points that belong together. */
export type SkeletonPart = {
  /** `base`, `rail`, `link`, `slide`, `platform` */
  kind: string;
  /** The leg it belongs to, from 0. */
  leg: (number | null);
  /** Places in `points`. */
  points: number[];
};

/** A robot as points and lines, as in the animation of a report. */
export type SkeletonShape = {
  /** [m] */
  points: ([number, number, number])[];
  /** What joins them. */
  parts: SkeletonPart[];
  /** The joints of each leg from base to platform, as places in `points`. */
  joints: number[][];
  /** Where the motors are. */
  motors: number[];
  /** The platform point. */
  platform: number;
};

/** A check that could not be made. */
export type SkippedCheck = {
  /** Which one. */
  name: string;
  /** Why not. */
  why: string;
};

/** The form of the equations and how they are integrated. */
export type SolverRequest = {
  /** How the equations of motion are written. Default: `minimal`. */
  formulation?: FormulationChoice;
  /** How fast the constrained form closes its loops again [1/s]. Default: 5. */
  pole?: (number | null);
  /** How time goes on. Default: `dopri5`. */
  integrator?: IntegratorChoice;
  /** Relative error of a step of `dopri5` and `stiff`. Default: 1e-8. */
  tolerance?: (number | null);
  /** Longest step of `rk4`, `euler` and `rattle`. Default: 1 ms. */
  step?: (Time | null);
};

/** a speed: a number in m/s, or a text with one of the units m/s, mm/s, cm/s, m/min, in/s. */
export type Speed = (number | string);

/** Size of an error over a run. */
export type Spread = {
  /** Largest. */
  max: (number | null);
  /** Root of the mean square: over samples, and over motors for an error at the motors. */
  rms: (number | null);
};

/** What becomes of a small motion while the motors keep their efforts. */
export type Stability = ("grows" | "stays" | "dies-out");

/** Which state. Lists have a number for each of `RobotSheet.coordinates` or `RobotSheet.velocities`. */
export type StateAsk = {
  /** Where the platform is; what its robot cannot move is ignored. Default: home. */
  pose?: (Pose | null);
  /** The same as coordinates; they count before `pose`. */
  values?: (number[] | null);
  /** A rotation vector in base axes [rad], by which `pose` is turned. */
  turn?: ([number, number, number] | null);
  /** How the platform moves. Default: it rests. */
  twist?: (number[] | null);
  /** How it speeds up. Default: not at all. */
  acceleration?: (number[] | null);
  /** What pulls at it. Default: nothing. */
  wrench?: (number[] | null);
  /**
   * The last place that was reached: if the one that is asked for is out of reach, the answer is about the last one on
   * the straight way from here. Default: home.
   */
  from?: (number[] | null);
  /** What is wanted beside the motion and the skeleton. Default: all. */
  parts?: (StatePart[] | null);
};

/** A reason, and how many states it stopped. */
export type StateCount = {
  /** Why. */
  reason: string;
  /** How many states. */
  states: number;
};

/** What of a state may be left out. */
export type StatePart = ("text" | "report" | "hold" | "ellipsoids" | "poles");

/** Everything about a state. */
export type StateSheet = {
  /** Where the platform is. */
  pose: Pose;
  /** The same as coordinates. */
  values: number[];
  /** The same in words. */
  place: string;
  /** Why the answer is not about the place that was asked for. */
  refused: (Failure | null);
  /** The working mode of the legs. */
  mode: string;
  /** Joint values [rad, m]. */
  q: number[];
  /** Their speeds. */
  qd: number[];
  /** Their accelerations. */
  qdd: number[];
  /** Motors outside their limits, from 0. */
  outside_limits: number[];
  /** How far the rods lean [rad]. */
  leans: number[];
  /** How far they may lean. */
  largest_lean: (number | null);
  /** Efforts for this motion; nothing without masses. */
  efforts: (EffortParts | null);
  /** Efforts that hold the robot at rest here. */
  hold: (EffortParts | null);
  /** What `legwork torque` prints; nothing without masses. */
  torque: (Printed | null);
  /** What `legwork state` prints. */
  report: (Printed | null);
  /** Distance to the serial singularity of each leg, 0 is singular. */
  serial: number[];
  /** Distance to the parallel singularity, 0 is singular. */
  parallel: number;
  /** Condition number of the Jacobian; nothing where it is infinite. */
  condition: (number | null);
  /** The same in words. */
  singularity: SingularityLine[];
  /** What the motors can do here. */
  ellipsoids: EllipsoidShape[];
  /** Poles of small motions while the motors keep their efforts [1/s]; nothing without masses. */
  poles: (PolePlace[] | null);
  /** What they say together. */
  stability: (Stability | null);
  /** The robot to draw. */
  skeleton: SkeletonShape;
  /** What is out of its limits, in words. */
  notes: string[];
};

/** Soft stops of every joint. */
export type StopsRequest = {
  /** [N m/rad, N/m] */
  stiffness: number;
  /** [s/rad, s/m]. Default: 0. */
  damping?: number;
};

/** A sinusoid of one coordinate of the base: amplitude · sin(2π frequency t + phase). */
export type SwayRequest = {
  /** Which coordinate. */
  coordinate: BaseCoordinate;
  /** How far, a length or an angle. */
  amplitude: Measure;
  /** How often. */
  frequency: Frequency;
  /** Where it begins, an angle. Default: 0. */
  phase?: (Measure | null);
};

/** A letter of an equation. */
export type Symbol = {
  /** The letter. */
  symbol: string;
  /** What it means. */
  meaning: string;
  /** What it is now, with its unit. */
  value: string;
};

export type Table = {
  name?: string;
  text?: (string | null);
  working_mode?: (string | null);
  payload?: (Mass | null);
  model_error?: (ModelError | null);
  forearm_model?: (ForearmModel | null);
  effort_choice?: (EffortChoice | null);
  held?: ({
    [key: string]: number;
  } | null);
};

/** A file to take away. */
export type TakenFile = {
  /** Its name. */
  name: string;
  /** What it is: `text/csv`. */
  media_type: string;
  /** What is in it. */
  base64: string;
};

/** What came of it. */
export type TaskAnswer = {
  /** Which task it was. */
  task: string;
  /** Its result, as the program gives it with `--json`. */
  result: TaskResult;
  /** As the program prints it; empty for tasks whose tables belong to their verbs. */
  printed: string;
  /** Its report, as the pages of reports read it. */
  report: ({ [key: string]: unknown } | null);
  /** Its files. */
  files: TakenFile[];
  /** What should be known beside the result. */
  notes: string[];
};

/** What is to be run. */
export type TaskAsk = {
  /** A request as `legwork run` reads it; without `robot` it is about the one that is open. */
  request: Request;
  /** Whether a report is wanted, of tasks that have one. Default: no. */
  report?: boolean;
  /**
   * The format of the recording that is wanted, of tasks that have one: `csv`, `parquet`, `mcap`; or `svg`, its plots as a
   * picture. Default: none.
   */
  recording?: (string | null);
};

/** The result of any task; its key `task` says which. */
export type TaskResult = ({
  task: "simulate";
  /** Name of the robot. */
  robot: string;
  /** How the equations were written. */
  formulation: string;
  /** How time went on. */
  integrator: string;
  /** What the motors were told, in words. */
  motors: string;
  /** How long the run was to be [s]. */
  duration: number;
  /** Time of the last sample [s]. */
  time: number;
  /** How it ended. */
  ending: EndingKind;
  /** Why it stopped. */
  reason: (string | null);
  /** Both in words. */
  ended: string;
  /** How many samples there were. */
  samples_taken: number;
  /** Steps of the integrator. */
  steps: number;
  /** Steps that were thrown away. */
  rejected: number;
  /** Evaluations of the equations of motion. */
  evaluations: number;
  /** Largest loop gap [m]. */
  loop_gap: (number | null);
  /** Largest error of the energy balance [J]. */
  energy_imbalance: (number | null);
  /** Largest kinetic energy [J], to compare it with. */
  largest_kinetic_energy: (number | null);
  /** Motors that were outside their limits at a sample. */
  outside_limits: string[];
  /** The same in words. */
  outside_note?: (string | null);
  /** The last sample by the names of its columns. */
  last: {
    [key: string]: (number | null);
  };
  /** Where the platform is in it, in words. */
  last_place: string;
  /** Relative error of a step. */
  tolerance?: (number | null);
  /** Longest step [s]. */
  step?: (number | null);
  /** Pole of the constrained form [1/s]. */
  pole?: (number | null);
  /** What the machine was, in words. */
  machine: string[];
  /** The page that was written. */
  report?: (string | null);
  /** What kind of page it is. */
  page?: (PageKind | null);
  /** The file that was written. */
  out?: (string | null);
  /** The start, three quarter points and the end. */
  shown: SampleTable;
  /** Every sample, if they were asked for. */
  samples?: (SampleTable | null);
} | {
  task: "follow";
  /** Name of the robot. */
  robot: string;
  /** The kind of path, `cycle` if it has several moves, or the file of a motion. */
  path: string;
  /** Its length [m]. */
  length: number;
  /** The kind of law, `fastest`, or nothing where there is none for all of it. */
  law: string;
  /** Duration of a move, or of a whole cycle or motion [s]. */
  move_time: number;
  /** The moves, of a cycle. */
  moves?: MoveResult[];
  /** How long a run was to be [s]. */
  duration: number;
  /** Time between two samples of the controller [s]. */
  period: number;
  /** Frequency of the gains, detuned where none was given [Hz]. */
  frequency: number;
  /** By what the robot that the controller knows differs from its file, in words. */
  controller_knows: string[];
  /** What the machine was, in words. */
  machine: string[];
  /** The files that were written. */
  out: string[];
  /** The page that was written. */
  report?: (string | null);
  /** What kind of page it is. */
  page?: (PageKind | null);
  /** One regulator after the other; fewer than asked for if the caller cancelled. */
  regulators: RegulatorResult[];
  /** What the robot's file says of this comparison. */
  note?: (string | null);
} | {
  task: "plan";
  /** Name of the robot. */
  robot: string;
  /** The kind of path, `Adept cycle`, or `cycle` if it has several moves. */
  path: string;
  /** Its length [m]. */
  length: number;
  /** Duration of the whole, with its rests [s]. */
  cycle_time: number;
  /** Rest at each end [s]. */
  pause: number;
  /** The way there, of a path. */
  there?: (WayResult | null);
  /** The way back, if there is one. */
  back: (WayResult | null);
  /** The moves, of a cycle. */
  moves?: MoveResult[];
  /** When and where each motor has its peaks. */
  peaks: PeakResult[];
  /** The files that were written. */
  out: string[];
} | {
  task: "size";
  /** Name of the robot. */
  robot: string;
  /** The kind of path, `Adept cycle`, `cycle` if it has several moves, or the file of a motion. */
  path: string;
  /** The kind of law, `fastest`, or nothing where there is none for all of it. */
  law: string;
  /** Duration of a cycle [s]. */
  cycle_time: number;
  /** Largest power of all motors together [W]. */
  peak_power: number;
  /** [W] */
  mean_power: number;
  /** Energy of a cycle [J]. */
  energy: number;
  /** The same if nothing is fed back [J]. */
  energy_without_regeneration: number;
  /** What friction takes [J]. */
  dissipated: number;
  /** What the energy balance leaves over [J]. */
  imbalance: number;
  /** One for each joint. */
  joints: JointDemand[];
  /** When and where each motor has its peaks. */
  peaks: PeakResult[];
  /** The moves, of a cycle. */
  moves?: MoveResult[];
  /** The files that were written. */
  out: string[];
  /** Every motor of the table with each of its gears, those that can do it first. */
  motors?: (MotorResult[] | null);
} | MapResult & {
  task: "map";
} | LinearizeResult & {
  task: "linearize";
} | SensitivityResult & {
  task: "sensitivity";
} | CheckResult & {
  task: "check";
} | ReportResult & {
  task: "report";
});

/** a time: a number in s, or a text with one of the units s, ms, us, min. */
export type Time = (number | string);

/** How far a limit is used. */
export type UsageResult = {
  /** Which limit. */
  limit: string;
  /** Its unit. */
  unit: string;
  /** Its value. */
  of: number;
  /** The largest number, without its sign. */
  largest: (number | null);
  /** Largest number over limit. */
  used: (number | null);
  /** Where on the path [m]. */
  at: number;
  /** The same at the shaft of the motor, if there is a gear between it and its joint. */
  motor_side?: (MotorSideUsage | null);
};

/** What differs from the file; what is left out is as in the file. */
export type VaryAsk = {
  /** The way of each leg that has two, such as `out-in-out`. */
  working_mode?: (string | null);
  /** What the platform carries, `500 g`. */
  payload?: (Mass | null);
};

/** The size of a workspace. */
export type VolumeResult = {
  /** Name of the robot. */
  robot: string;
  /** Where the search starts and how the platform is turned [m, rad]. */
  fixed: {
    pitch?: number;
    roll?: number;
    x?: number;
    y?: number;
    yaw?: number;
    z?: number;
  };
  /** Volume [m³], or area [m²] for a robot in a plane. */
  size: number;
  /** How far it may be off. */
  error: number;
  /** `m^3` or `m^2`. */
  unit: string;
  /** Least and largest coordinate along x, y, z [m]. */
  bounds: [[number, number], [number, number], [number, number]];
  /** Triangles of the boundary; absent in a plane. */
  triangles: (number | null);
  /** The file with the boundary. */
  mesh?: (string | null);
};

/** One way along the path. */
export type WayResult = {
  /** [s] */
  duration: number;
  /** Intervals of the grid. */
  intervals: number;
  /** How often the limits were drawn in. */
  rounds: number;
  /** What holds the motion back, part by part. */
  parts: PartResult[];
  /** The largest use of every limit, on a grid ten times finer. */
  usage: UsageResult[];
  /** The largest use of all limits, as a share. */
  largest_use: (number | null);
  /** How close the path comes to a serial singularity. */
  serial: SerialClearance;
  /** How close it comes to a parallel one. */
  parallel: ParallelClearance;
};

/** A word and what it means. */
export type Word = {
  /** The word in a request. */
  name: string;
  /** What it means. */
  meaning: string;
};

/** A working mode. */
export type WorkingChoice = {
  /** Its name, for `vary`. */
  mode: string;
  /** Whether the robot is in it. */
  is_own: boolean;
  /** Joint values [rad, m]. */
  q: number[];
  /** Motors outside their limits, from 0. */
  outside_limits: number[];
  /** The robot to draw. */
  skeleton: (SkeletonShape | null);
};

/** What is answered, by what was asked. */
export type Answers = {
  along: Along;
  choices: Choices;
  code: CodeFiles;
  command: CommandText;
  edit: RobotSheet;
  equations: Equation[];
  field: FieldNumbers;
  grid: FieldGrid;
  joints: StateSheet;
  modes: Modes;
  number: number;
  open: RobotSheet;
  robots: RobotListEntry[];
  state: StateSheet;
  task: TaskAnswer;
  vary: RobotSheet;
};
