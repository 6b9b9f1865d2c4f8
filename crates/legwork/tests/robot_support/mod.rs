//! States for tests of robots.

use legwork::{AnyRobot, PlatformState, rotation_from_roll_pitch_yaw};
use std::array::from_fn;

/// Seeded numbers (SplitMix64).
pub struct Seeded(pub u64);

impl Seeded {
    /// Between −size and size.
    pub fn uniform(&mut self, size: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        size * (2.0 * ((z >> 11) as f64 / (1u64 << 53) as f64) - 1.0)
    }
}

/// A state about home, in the freedoms of the robot.
pub fn some_state(robot: &AnyRobot, random: &mut Seeded) -> PlatformState {
    let mut state = robot.home();
    let mut angles = [0.0; 3];
    let reach = 0.15 * robot.platform_size().max(0.05);
    for freedom in robot.freedoms() {
        let k = freedom.component;
        if k < 3 {
            state.position[k] += random.uniform(reach);
        } else {
            angles[k - 3] = random.uniform(0.1);
        }
        state.twist[k] = random.uniform(1.0);
        state.acceleration[k] = random.uniform(10.0);
        state.wrench[k] = random.uniform(5.0);
    }
    let (turn, before) = (rotation_from_roll_pitch_yaw(angles), state.rotation);
    state.rotation = turn.map(|row| from_fn(|j| (0..3).map(|k| row[k] * before[k][j]).sum()));
    state
}
