//! The parts of a robot that have mass, with their numbers: what identification changes.
//!
//! A family lists its parts as its file has them, equal legs once. What is carried, the tool and parts that a file
//! leaves without mass are known, or neglected, and are not in the list.

use crate::description::parts::{Bar, Body, PlanarBody};

/// A part with mass: its name in the file, and its numbers there.
pub struct InertialPart<'a> {
    /// Its name: `forearm`, `leg2.joint1`.
    pub name: String,
    /// How the file describes it.
    pub numbers: InertialNumbers<'a>,
}

/// The numbers of a part, by what its shape leaves open.
pub enum InertialNumbers<'a> {
    /// A mass that only translates, or is a point \[kg\].
    Point(&'a mut f64),
    /// Something that only turns, about one axis \[kg m²\].
    Moment(&'a mut f64),
    /// A bar along x of its frame without inertia about its own length.
    Bar {
        /// \[kg\]
        mass: &'a mut f64,
        /// Along the bar \[m\].
        centre: &'a mut f64,
        /// About its centre of mass, across the bar \[kg m²\].
        inertia: &'a mut f64,
    },
    /// A body that moves in the x-y plane.
    Planar(&'a mut PlanarBody),
    /// A body in space.
    Body(&'a mut Body),
}

impl<'a> InertialPart<'a> {
    pub(super) fn point(name: &str, mass: &'a mut f64) -> Self {
        Self { name: name.into(), numbers: InertialNumbers::Point(mass) }
    }

    pub(super) fn moment(name: &str, inertia: &'a mut f64) -> Self {
        Self { name: name.into(), numbers: InertialNumbers::Moment(inertia) }
    }

    pub(super) fn bar(name: &str, bar: &'a mut Bar) -> Self {
        let Bar { mass, centre, inertia } = bar;
        Self { name: name.into(), numbers: InertialNumbers::Bar { mass, centre, inertia } }
    }

    pub(super) fn planar(name: &str, body: &'a mut PlanarBody) -> Self {
        Self { name: name.into(), numbers: InertialNumbers::Planar(body) }
    }

    pub(super) fn body(name: impl Into<String>, body: &'a mut Body) -> Self {
        Self { name: name.into(), numbers: InertialNumbers::Body(body) }
    }

    /// Whether the file gives it neither mass nor inertia.
    pub fn is_nothing(&self) -> bool {
        match &self.numbers {
            InertialNumbers::Point(number) | InertialNumbers::Moment(number) => **number == 0.0,
            InertialNumbers::Bar { mass, inertia, .. } => **mass == 0.0 && **inertia == 0.0,
            InertialNumbers::Planar(body) => body.mass == 0.0 && body.inertia == 0.0,
            InertialNumbers::Body(body) => body.mass == 0.0 && body.inertia == [[0.0; 3]; 3],
        }
    }

    /// The part as a body in space: a bar lies along x, a body of the plane turns about z.
    pub fn as_body(&self) -> Body {
        match &self.numbers {
            InertialNumbers::Point(mass) => Body::point(**mass),
            InertialNumbers::Moment(inertia) => Body { inertia: about_z(**inertia), ..Body::MASSLESS },
            InertialNumbers::Bar { mass, centre, inertia } => Body {
                mass: **mass,
                centre: [**centre, 0.0, 0.0],
                inertia: [[0.0; 3], [0.0, **inertia, 0.0], [0.0, 0.0, **inertia]],
            },
            InertialNumbers::Planar(body) => Body {
                mass: body.mass,
                centre: [body.centre[0], body.centre[1], 0.0],
                inertia: about_z(body.inertia),
            },
            InertialNumbers::Body(body) => **body,
        }
    }

    /// Takes what its shape leaves open from a body in space.
    pub fn set(&mut self, body: &Body) {
        match &mut self.numbers {
            InertialNumbers::Point(mass) => **mass = body.mass,
            InertialNumbers::Moment(inertia) => **inertia = body.inertia[2][2],
            InertialNumbers::Bar { mass, centre, inertia } => {
                (**mass, **centre, **inertia) = (body.mass, body.centre[0], body.inertia[2][2]);
            }
            InertialNumbers::Planar(of) => {
                let [x, y, _] = body.centre;
                **of = PlanarBody { mass: body.mass, centre: [x, y], inertia: body.inertia[2][2] };
            }
            InertialNumbers::Body(of) => **of = *body,
        }
    }
}

fn about_z(inertia: f64) -> [[f64; 3]; 3] {
    [[0.0; 3], [0.0; 3], [0.0, 0.0, inertia]]
}
