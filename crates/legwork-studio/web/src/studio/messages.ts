export interface Failure { kind: "file" | "request" | "reach" | "message" | "panic"; what: string; cause: string | null; hint: string | null; problems: FileProblem[] }
export interface FileProblem { what: string; hint: string | null; field: string | null; line: number | null; column: number | null; width: number | null; text: string | null }
export interface RobotListEntry { name: string; family: string; sentence: string; motors: string; freedoms: string[]; legs: number; masses: boolean; source: string | null }
export interface RobotSheet {
  name: string; family: string; meaning: string; source: string | null; note: string | null; text: string; is_built_in: boolean; summary: string; doubts: string[];
  coordinates: PlatformCoordinate[]; velocities: string[]; motors: Motor[]; home: Pose; home_values: number[]; has_masses: boolean; working_mode: string; branches: BranchChoice | null; payload: number;
  numbers: EditableNumber[]; quantities: QuantityChoice[]; has_motion: boolean; size: number; platform_size: number;
}
export interface BranchChoice { what: string; names: string[]; legs: number }
export interface QuantityChoice { name: string; meaning: string; is_signed: boolean }
export interface PlatformCoordinate { name: string; unit: string; turns: boolean; is_free: boolean; home: number; from: number; to: number }
export interface Motor { name: string; slides: boolean; unit: string; effort_unit: string; min: number | null; max: number | null; from: number; to: number; max_effort: number | null; max_speed: number | null }
export interface EditableNumber { path: string; table: string; key: string; text: string; number: number; value: number; unit: string; written_unit: string; line: number; meaning: string }
export interface Pose { position: [number, number, number]; quaternion: [number, number, number, number] }
export interface StateSheet {
  pose: Pose; values: number[]; place: string; refused: Failure | null; mode: string; q: number[]; qd: number[]; qdd: number[]; outside_limits: number[];
  leans: number[]; largest_lean: number | null; efforts: EffortParts | null; hold: EffortParts | null; torque: Printed | null; report: Printed | null;
  serial: number[]; parallel: number; condition: number | null; singularity: SingularityLine[];
  ellipsoids: EllipsoidShape[]; poles: PolePlace[] | null; stable: boolean | null; skeleton: SkeletonShape; notes: string[];
}
export interface SingularityLine { name: string; text: string }
export interface PolePlace { re: number; im: number }
export interface EffortParts { motor: number[]; inertial: number[]; coriolis: number[]; gravity: number[]; external: number[]; friction: number[]; share: (number | null)[]; leg_force: number[] }
export interface Printed { text: string; command: string; heading: string[]; rows: PrintedRow[]; notes: string[] }
export interface PrintedRow { name: string; cells: string[] }
export interface EllipsoidShape { name: string; unit: string; meaning: string; axes: { direction: [number, number, number]; length: number }[] }
export interface SkeletonShape { points: [number, number, number][]; parts: SkeletonPart[]; joints: number[][]; motors: number[]; platform: number }
export interface SkeletonPart { kind: string; leg: number | null; points: number[] }
export interface Modes { working: WorkingChoice[]; assembly: AssemblyChoice[] | null; statement: string }
export interface WorkingChoice { mode: string; q: number[]; is_own: boolean; outside_limits: number[]; skeleton: SkeletonShape | null }
export interface AssemblyChoice { name: string; pose: Pose; values: number[]; place: string; mode: string | null; is_own: boolean; is_reached_from_home: boolean; is_singular: boolean; skeleton: SkeletonShape | null }
export interface FieldGrid { ranges: { coordinate: string; unit: string; from: number; to: number; count: number }[]; rows: number; poses: number; columns: { name: string; unit: string; relates_to_least: boolean }[]; fixed: Record<string, number> }
export interface FieldNumbers { from: number; to: number; columns: { name: string; values: Record<string, string> }[] }
export interface TaskAnswer { task: string; result: unknown; printed: string; report: Record<string, unknown> | null; files: TakenFile[]; notes: string[] }
export interface TakenFile { name: string; media_type: string; base64: string }
export interface Equation { quantity: string; title: string; formula: string; source: string; symbols: { symbol: string; meaning: string; value: string }[]; filled: string[] }
export interface CommandText { toml: string; json: string; command: string; python: string }
export interface Word { name: string; meaning: string }
export interface Choices { version: string; tasks: string[]; paths: Word[]; laws: Word[]; regulators: Word[]; formulations: Word[]; integrators: Word[]; orders: Word[]; code: Word[] }
export interface CodeFiles { name: string; files: TakenFile[] }
