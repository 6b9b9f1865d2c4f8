import type { Packed, Part, Report } from "../view/document";
export type Answer<T> = { ok: T } | { error: Failure };
export interface Failure { kind: "file" | "robot" | "request" | "reach" | "message" | "panic"; what: string; cause: string | null; hint: string | null; problems: Problem[] }
export interface Problem { what: string; hint: string | null; field: string | null; line: number | null; column: number | null; width: number | null; text: string | null }
export interface RobotEntry { name: string; family: string; sentence: string; motors: string; freedoms: string[]; legs: number; masses: boolean; source: string | null }
export interface Robot {
  name: string; family: string; meaning: string; source: string | null; note: string | null; text: string; summary: string; doubts: string[];
  coordinates: Coordinate[]; motors: Motor[]; home: Pose; has_masses: boolean; working_mode: string; branches: { names: [string, string]; legs: number } | null; payload: number;
  numbers: FileNumber[]; quantities: { name: string; meaning: string; unit: string }[]; size: number; platform_size: number; motion: Record<string, unknown> | null;
}
export interface Coordinate { name: string; unit: "m" | "rad"; turns: boolean; home: number; from: number; to: number }
export interface Motor { name: string; slides: boolean; unit: string; effort_unit: string; min: number | null; max: number | null; from: number; to: number; max_effort: number | null; max_speed: number | null }
export interface FileNumber { path: string; table: string; key: string; text: string; value: number; unit: string; written_unit: string; line: number; meaning: string }
export interface Pose { position: [number, number, number]; quaternion: [number, number, number, number] }
export interface State {
  pose: Pose; values: number[]; place: string; refused: Failure | null; mode: string; q: number[]; qd: number[]; qdd: number[]; outside_limits: number[];
  leans: number[]; largest_lean: number | null; efforts: Efforts | null; hold: Efforts | null; torque: Printed | null; state: Printed | null;
  measures: { name: string; value: number | null; shown: string; unit: string; meaning: string; quantity: string }[];
  ellipsoids: Ellipsoid[]; poles: { re: number; im: number }[] | null; stable: boolean | null; skeleton: Skeleton; notes: string[];
}
export interface Efforts { motor: number[]; inertial: number[]; coriolis: number[]; gravity: number[]; external: number[]; friction: number[]; use: (number | null)[] | null; leg_force: number[] }
export interface Printed { text: string; command: string; heading: string[]; rows: { name: string; cells: string[] }[]; notes: string[] }
export interface Ellipsoid { name: "velocity" | "force" | "inertia"; unit: string; meaning: string; axes: { direction: [number, number, number]; length: number }[] }
export interface Skeleton { points: [number, number, number][]; parts: Part[]; joints: number[][]; motors: number[]; platform: number }
export interface Modes {
  working: { mode: string; q: number[]; own: boolean; outside_limits: number[]; skeleton: Skeleton }[];
  assembly: { pose: Pose; values: number[]; place: string; mode: string | null; own: boolean; reached_from_home: boolean; singular: boolean; skeleton: Skeleton | null }[] | null;
  statement: string; refused: string | null;
}
export interface Grid { request: Record<string, unknown>; ranges: { coordinate: string; unit: string; from: number; to: number; count: number }[]; rows: number; poses: number; columns: { name: string; unit: string }[]; fixed: Record<string, number> }
export interface Field { from: number; to: number; poses: number; columns: { name: string; unit: string; values: Packed }[] }
export interface TaskAnswer { task: string; result: Record<string, unknown>; printed: string; report: Report | null; files: File[]; notes: string[]; request: string }
export interface File { name: string; media_type: string; base64: string }
export interface Equation { quantity: string; title: string; formula: string; source: string; symbols: { symbol: string; meaning: string; value: string }[]; filled: string }
export interface Words { toml: string; json: string; command: string; python: string }
export interface Along { times: number[]; poses: Pose[]; twists: number[][]; accelerations: number[][] }
