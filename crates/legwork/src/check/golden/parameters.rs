//! The robot that a golden file describes, from its parameters.

use super::{GoldenError, missing, numbers};
use crate::description::{
    AngleLimits, Bar, Bend, Body, C5Description, C5Geometry, C5Mass, Carriage, Convention, DeltaDescription,
    DeltaGeometry, DeltaMass, Elbow, Family, FiveBarDescription, FiveBarGeometry, FiveBarMass, Frame,
    GoughStewartDescription, HexaDescription, HexaGeometry, HexaMass, LengthLimits, LinearDeltaDescription,
    LinearDeltaGeometry, LinearDeltaMass, LinearMotor, Model, Motor, Placement, Planar3RrrDescription,
    Planar3RrrGeometry, Planar3RrrMass, PlanarBody, PlanarPlacement, RobotDescription, SpaceDescription,
    SpaceGeometry, UpsGeometry, UpsMass,
};
use serde_json::Value;

const NO_ANGLE_LIMITS: AngleLimits = AngleLimits { min: None, max: None };
const NO_LENGTH_LIMITS: LengthLimits = LengthLimits { min: None, max: None };

/// A golden file's parameters.
struct Parameters<'a>(&'a Value);

impl Parameters<'_> {
    fn has(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.0.get(key).is_some())
    }

    fn number(&self, key: &str) -> Result<f64, GoldenError> {
        self.0[key].as_f64().ok_or_else(|| missing(format!("/parameters/{key}")))
    }

    fn list<const N: usize>(&self, pointer: &str) -> Result<[f64; N], GoldenError> {
        let fault = || missing(format!("/parameters{pointer}"));
        let list = self.0.pointer(pointer).and_then(numbers).ok_or_else(fault)?;
        list.try_into().map_err(|_| fault())
    }

    fn points(&self, key: &str) -> Result<Vec<[f64; 3]>, GoldenError> {
        let fault = || missing(format!("/parameters/{key}"));
        let list = self.0.get(key).and_then(numbers).ok_or_else(fault)?;
        let (points, rest) = list.as_chunks::<3>();
        if rest.is_empty() { Ok(points.to_vec()) } else { Err(fault()) }
    }

    fn some_points<const N: usize>(&self, key: &str) -> Result<[[f64; 3]; N], GoldenError> {
        self.points(key)?.try_into().map_err(|_| missing(format!("/parameters/{key}")))
    }

    fn body(&self, key: &str) -> Result<Body, GoldenError> {
        let [mass] = self.list(&format!("/{key}/mass"))?;
        let [a, b, c, d, e, f, g, h, i] = self.list(&format!("/{key}/inertia_com"))?;
        Ok(Body {
            mass,
            centre: self.list(&format!("/{key}/com"))?,
            inertia: [[a, b, c], [d, e, f], [g, h, i]],
        })
    }

    /// A thin uniform rod.
    fn rod(&self, mass: &str, length: f64) -> Result<Bar, GoldenError> {
        let mass = self.number(mass)?;
        Ok(Bar { mass, centre: length / 2.0, inertia: mass * length * length / 12.0 })
    }

    fn bar(&self, [mass, centre, inertia]: [&str; 3]) -> Result<Bar, GoldenError> {
        Ok(Bar { mass: self.number(mass)?, centre: self.number(centre)?, inertia: self.number(inertia)? })
    }

    fn motor(&self) -> Result<Motor, GoldenError> {
        Ok(Motor {
            rotor_inertia: self.number("I_m")?,
            gear_ratio: 1.0,
            gear_inertia: 0.0,
            viscous_friction: 0.0,
            coulomb_friction: 0.0,
            max_torque: None,
            max_speed: None,
        })
    }

    fn ups_mass(&self) -> Result<UpsMass, GoldenError> {
        Ok(UpsMass {
            cylinder: self.body("leg_cylinder")?,
            rod: self.body("leg_rod")?,
            platform: self.body("platform")?,
            payload: Body::MASSLESS,
        })
    }
}

fn linear_motor(actuator_inertia: f64) -> LinearMotor {
    LinearMotor {
        actuator_inertia,
        viscous_friction: 0.0,
        coulomb_friction: 0.0,
        max_force: None,
        max_speed: None,
    }
}

fn ideal_motor() -> Motor {
    Motor {
        rotor_inertia: 0.0,
        gear_ratio: 1.0,
        gear_inertia: 0.0,
        viscous_friction: 0.0,
        coulomb_friction: 0.0,
        max_torque: None,
        max_speed: None,
    }
}

fn thirds() -> [f64; 3] {
    let third = std::f64::consts::TAU / 3.0;
    [0.0, third, 2.0 * third]
}

/// The robot that a file describes: known by which parameters it has. Its first state is taken as home.
pub(super) fn description(file: &Value) -> Result<RobotDescription, GoldenError> {
    let name = file["robot"].as_str().unwrap_or("golden").to_owned();
    let p = Parameters(&file["parameters"]);
    // A trajectory has its pose beside the time, a state has it in a table of its own.
    let home = Home::of(file["states"][0].get("platform").unwrap_or(&file["samples"][0]));
    let (family, model, down) = if p.has(&["base_points", "platform_points", "u_axis1", "gamma"]) {
        (Family::Space, Model::Space(space(&p, &home)?), DOWN)
    } else if p.has(&["base_points", "platform_points", "u_axis1"]) {
        (Family::GoughStewart, Model::GoughStewart(gough_stewart(&p, &home)?), DOWN)
    } else if p.has(&["base_points", "leg_mass", "actuator_inertia"]) {
        (Family::C5, Model::C5(c5(&p, &home)?), DOWN)
    } else if p.has(&["RA", "RB", "wA", "wB", "LA", "LB"]) {
        (Family::Hexa, Model::Hexa(hexa(&p, &home)?), DOWN)
    } else if p.has(&["RA", "RB", "L", "m_s"]) {
        (Family::LinearDelta, Model::LinearDelta(linear_delta(&p, &home)?), DOWN)
    } else if p.has(&["RA", "RB", "LA", "LB", "m_ab"]) {
        (Family::Delta, Model::Delta(delta(&p)?), DOWN)
    } else if p.has(&["rb", "rp", "l1", "l2"]) {
        (Family::Planar3Rrr, Model::Planar3Rrr(planar_3rrr(&p, &home)?), DOWN_THE_PAGE)
    } else if p.has(&["d", "l1", "l2"]) {
        (Family::FiveBar, Model::FiveBar(five_bar(&p, &home)?), DOWN_THE_PAGE)
    } else {
        return Err(GoldenError::UnknownRobot { robot: name });
    };
    Ok(RobotDescription {
        name,
        family,
        source: None,
        note: None,
        convention: Convention::Legwork,
        gravity: p.number("g")?,
        gravity_direction: down,
        model,
        motion_defaults: None,
        controller_defaults: None,
        text: None,
    })
}

const DOWN: [f64; 3] = [0.0, 0.0, -1.0];
const DOWN_THE_PAGE: [f64; 3] = [0.0, -1.0, 0.0];

/// Where the first state of the file is.
struct Home {
    placement: Option<Placement>,
    planar: Option<PlanarPlacement>,
}

impl Home {
    fn of(platform: &Value) -> Self {
        let list = |key: &str| platform.get(key).and_then(numbers).unwrap_or_default();
        let rotation: Option<[f64; 9]> = list("rotation").try_into().ok();
        let [a, b, c, d, e, f, g, h, i] = rotation.unwrap_or([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        let position = <[f64; 3]>::try_from(list("position")).ok();
        let planar = <[f64; 2]>::try_from(list("position")).ok();
        let angle = list("angle").first().copied().unwrap_or(0.0);
        Self {
            placement: position
                .map(|position| Placement { position, rotation: [[a, b, c], [d, e, f], [g, h, i]] }),
            planar: planar.map(|position| PlanarPlacement { position, angle }),
        }
    }
}

fn delta(p: &Parameters<'_>) -> Result<DeltaDescription, GoldenError> {
    let (arm, forearm) = (p.number("LA")?, p.number("LB")?);
    let (upper, lower) = (p.rod("m_br", arm)?, p.rod("m_ab", forearm)?);
    Ok(DeltaDescription {
        geometry: DeltaGeometry {
            base_radius: p.number("RA")?,
            platform_radius: p.number("RB")?,
            arm,
            forearm,
            azimuth: thirds(),
        },
        mass: Some(DeltaMass {
            platform: p.number("m_n")?,
            payload: p.number("m_payload")?,
            arm: upper.mass,
            forearm: lower.mass,
            elbow: p.number("m_c")?,
            arm_centre: upper.centre,
            arm_inertia: upper.inertia,
            forearm_centre: lower.centre,
            forearm_inertia: lower.inertia,
        }),
        motor: p.motor()?,
        limits: NO_ANGLE_LIMITS,
        home: None,
        working_mode: [Elbow::Out; 3],
        frame: Frame::OURS,
    })
}

fn gough_stewart(p: &Parameters<'_>, home: &Home) -> Result<GoughStewartDescription, GoldenError> {
    Ok(GoughStewartDescription {
        geometry: UpsGeometry {
            base_points: p.points("base_points")?,
            platform_points: p.points("platform_points")?,
            base_axes: p.points("u_axis1")?,
        },
        mass: Some(p.ups_mass()?),
        motor: linear_motor(0.0),
        limits: NO_LENGTH_LIMITS,
        home: home.placement,
    })
}

fn space(p: &Parameters<'_>, home: &Home) -> Result<SpaceDescription, GoldenError> {
    Ok(SpaceDescription {
        geometry: SpaceGeometry {
            base_points: p.some_points("base_points")?,
            platform_points: p.some_points("platform_points")?,
            gamma: p.list("/gamma")?,
        },
        mass: Some(p.ups_mass()?),
        rotary_motor: ideal_motor(),
        linear_motor: linear_motor(0.0),
        angle_limits: NO_ANGLE_LIMITS,
        length_limits: NO_LENGTH_LIMITS,
        home: home.placement,
    })
}

fn c5(p: &Parameters<'_>, home: &Home) -> Result<C5Description, GoldenError> {
    Ok(C5Description {
        geometry: C5Geometry { base_points: p.some_points("base_points")?, face_distances: [0.0; 6] },
        mass: Some(C5Mass {
            legs: p.list("/leg_mass")?,
            platform: p.body("platform")?,
            payload: Body::MASSLESS,
        }),
        motors: p.list::<6>("/actuator_inertia")?.map(linear_motor),
        limits: NO_LENGTH_LIMITS,
        home: home.placement,
    })
}

fn hexa(p: &Parameters<'_>, home: &Home) -> Result<HexaDescription, GoldenError> {
    let (arm, rod) = (p.number("LA")?, p.number("LB")?);
    Ok(HexaDescription {
        geometry: HexaGeometry {
            base_radius: p.number("RA")?,
            base_spacing: p.number("wA")?,
            platform_radius: p.number("RB")?,
            platform_spacing: p.number("wB")?,
            arm,
            rod,
            azimuth: thirds(),
        },
        mass: Some(HexaMass {
            arm: p.rod("m_br", arm)?,
            elbow: p.number("m_c")?,
            rod: p.rod("m_ab", rod)?,
            platform: p.body("platform")?,
            payload: Body::MASSLESS,
        }),
        motor: p.motor()?,
        limits: NO_ANGLE_LIMITS,
        home: home.placement,
        working_mode: [Elbow::Out; 6],
    })
}

fn linear_delta(p: &Parameters<'_>, home: &Home) -> Result<LinearDeltaDescription, GoldenError> {
    let rod = p.number("L")?;
    Ok(LinearDeltaDescription {
        geometry: LinearDeltaGeometry {
            base_radius: p.number("RA")?,
            platform_radius: p.number("RB")?,
            rod,
            azimuth: thirds(),
            tilt: 0.0,
        },
        mass: Some(LinearDeltaMass {
            platform: p.number("m_n")?,
            payload: p.number("m_payload")?,
            carriage: p.number("m_s")?,
            rod: p.rod("m_ab", rod)?,
        }),
        motor: linear_motor(p.number("I_a")?),
        limits: NO_LENGTH_LIMITS,
        home: home.placement.map(|placement| placement.position),
        working_mode: [Carriage::Ahead; 3],
    })
}

fn five_bar(p: &Parameters<'_>, home: &Home) -> Result<FiveBarDescription, GoldenError> {
    Ok(FiveBarDescription {
        geometry: FiveBarGeometry {
            motor_offset: p.number("d")?,
            proximal: p.number("l1")?,
            distal: p.number("l2")?,
        },
        mass: Some(FiveBarMass {
            proximal: p.bar(["m1", "c1", "I1"])?,
            distal: p.bar(["m2", "c2", "I2"])?,
            platform: p.number("m_p")?,
            payload: 0.0,
        }),
        motor: p.motor()?,
        limits: NO_ANGLE_LIMITS,
        home: home.planar.map(|placement| placement.position),
        working_mode: [Bend::Left, Bend::Right],
    })
}

fn planar_3rrr(p: &Parameters<'_>, home: &Home) -> Result<Planar3RrrDescription, GoldenError> {
    let azimuth = p.list("/angles_deg")?.map(f64::to_radians);
    let [mass] = p.list("/platform/mass")?;
    let [inertia] = p.list("/platform/Izz_com")?;
    Ok(Planar3RrrDescription {
        geometry: Planar3RrrGeometry {
            base_radius: p.number("rb")?,
            platform_radius: p.number("rp")?,
            azimuth,
            platform_azimuth: azimuth,
            proximal: p.number("l1")?,
            distal: p.number("l2")?,
        },
        mass: Some(Planar3RrrMass {
            proximal: p.bar(["m1", "c1", "I1"])?,
            distal: p.bar(["m2", "c2", "I2"])?,
            platform: PlanarBody { mass, centre: p.list("/platform/com_xy")?, inertia },
            payload: PlanarBody::MASSLESS,
        }),
        motor: p.motor()?,
        limits: NO_ANGLE_LIMITS,
        home: home.planar,
        working_mode: [Bend::Left; 3],
    })
}
