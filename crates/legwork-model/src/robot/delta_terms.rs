//! The quantities of a Delta that the papers' equations are written in.

use super::delta::DeltaRobot;
use super::{AnyRobot, Kind, PlatformState, RobotError};
use legwork_core::V3;
use legwork_core::robots::delta::Assembly;

/// What the papers call the parts of a Delta's equations, in the user's frame and signs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeltaTerms {
    /// θ₁, θ₂, θ₃ of each limb \[rad\]: the arm above the horizontal, the rod against the arm in the arm's plane
    /// (negative with elbows out), and the rod from the limb's lateral axis (π/2 in the plane of the arm)
    /// \[NgocKim2010, Fig. 1\].
    pub theta: [[f64; 3]; 3],
    /// J_x of J_x ẋ = J_q q̇: unit vectors along the forearms, a row for each leg \[Codourey1998, Eq. 36\].
    pub j_x: [[f64; 3]; 3],
    /// The diagonal of J_q \[m/rad\].
    pub j_q: [f64; 3],
    /// J̇ of ẍ = J q̈ + J̇ q̇ \[m/(rad s)\], by rows \[Codourey1998, Eq. 37\].
    pub jacobian_rate: [[f64; 3]; 3],
    /// J by differences of the forward kinematics \[m/rad\], by rows \[Codourey1998, Eq. 27\].
    pub numerical_jacobian: [[f64; 3]; 3],
    /// The step Δ of the differences \[rad\].
    pub step: f64,
    /// Largest entry of the difference to the exact Jacobian \[m/rad\].
    pub numerical_error: f64,
    /// λ of each limb \[N/m\], with the forearms' masses half at either end: 2 λ s is the force of a forearm on the
    /// platform \[NgocKim2010, section 3\]. `None` without masses.
    pub multipliers: Option<[f64; 3]>,
}

impl DeltaTerms {
    /// The step that is best in double precision \[rad\].
    pub const STEP: f64 = 1e-7;
}

impl AnyRobot {
    /// What the papers call the parts of a Delta's equations; `None` for other robots. `step` Δ \[rad\] is that of the
    /// numerical Jacobian.
    pub fn delta_terms(&self, platform: &PlatformState, step: f64) -> Result<Option<DeltaTerms>, RobotError> {
        match &self.kind {
            Kind::Delta(robot) => robot.terms(platform, step).map(Some),
            Kind::Engine(_) | Kind::Mechanism(_) => Ok(None),
        }
    }
}

impl DeltaRobot {
    fn terms(&self, platform: &PlatformState, step: f64) -> Result<DeltaTerms, RobotError> {
        let position = self.frame().position_from_user(self.only_translated(platform)?);
        let sign = self.frame().angle_sign;
        let posture = self.linkage().posture(position.into())?.not_serial()?.not_parallel()?;
        let [vx, vy, vz, ..] = platform.twist;
        let exact = posture.jacobian();
        let q = posture.angles();
        let numerical = |assembly| self.linkage().numerical_jacobian(q, assembly, step);
        // The assembly mode whose Jacobian it is.
        let error = |assembly| {
            let rows = (numerical(assembly).value - exact).to_rows();
            rows.as_flattened()
                .iter()
                .fold(0.0, |most: f64, x| if x.is_nan() { f64::NAN } else { most.max(x.abs()) })
        };
        let [below, above] = [Assembly::Below, Assembly::Above].map(|assembly| (assembly, error(assembly)));
        let (assembly, numerical_error) = if above.1 < below.1 { above } else { below };
        let theta = posture.legs.map(|leg| {
            let (arm, up) = (leg.arm(), leg.b());
            let lateral = up.cross(arm);
            let lengths = (leg.s.norm_sq() * lateral.norm_sq()).sqrt();
            [
                -leg.a_sin.atan2(leg.a_cos),
                leg.s.dot(up).atan2(leg.s.dot(arm)),
                (leg.s.dot(lateral) / lengths).acos(),
            ]
        });
        let multipliers = self.model().map(|model| {
            let m = model.inertia();
            let [ax, ay, az, ..] = platform.acceleration;
            let [fx, fy, fz, ..] = platform.wrench;
            let lumped = m.platform + m.payload + 1.5 * m.forearm;
            let load = (V3::new(ax, ay, az) - m.gravity) * lumped - V3::new(fx, fy, fz);
            let pull = posture.forearms().inverse().value.transpose() * load;
            (pull * 0.5).to_array()
        });
        Ok(DeltaTerms {
            theta: theta.to_array(),
            j_x: posture.legs.map(|leg| (leg.s * leg.s.norm_sq().sqrt().recip()).to_array()).to_array(),
            j_q: posture.legs.map(|leg| -leg.k * sign / leg.s.norm_sq().sqrt()).to_array(),
            jacobian_rate: (posture.jacobian_rate(V3::new(vx, vy, vz)) * sign).to_rows(),
            numerical_jacobian: (numerical(assembly).value * sign).to_rows(),
            step,
            numerical_error,
            multipliers,
        })
    }
}
