//! Figures and tables of \[Codourey1996\] and \[Codourey1998\].

use crate::{Item, Paper, Work, control, maps, times};
use Paper::{Codourey1996, Codourey1998};

const MAP_CONDITIONS: &str = "Robot delta-direct-drive: a set of ours, chosen so that the whole square is in reach at both \
    heights and the printed ratio comes out. 26 × 26 poses, x and y from −250 to 250 mm, simplified model; the complete \
    model beside it.";
const MAP_OPEN: &str = "The absolute scale: the masses of the authors' robot stand in a thesis of 1991, not in the papers. \
    The surfaces of the paper are colours here.";
const LOOP_CONDITIONS: &str = "Robot delta-direct-drive (ours); 250 mm along a semi-ellipse 60 mm high at z = −350 mm, \
    sine-on-ramp law with 80 m/s², 0.1534 s; the machine has the complete model and a motor lag of 2 ms, Runge–Kutta with \
    0.5 ms; the controller runs at 1 kHz with the simplified model and second differences of the reference; 20 Hz, damping \
    0.7, gains from the mean diagonal of the mass matrix at (0, 0, −350) mm, feed-forward inertia from the start pose.";

/// In the order of the paper.
pub(crate) const ITEMS_1996: &[Item] = &[
    Item::drawing(Codourey1996, "fig1", "The DELTA robot"),
    Item::drawing(Codourey1996, "fig2", "Geometric parameters"),
    Item {
        open: "no caption and no mention of it in the text we have",
        ..Item::drawing(Codourey1996, "fig3", "Not in the text")
    },
    Item {
        paper: Codourey1996,
        id: "fig4",
        title: "Mass matrix at z = −230 mm",
        statement: "Nine graphs, one for each entry. Three-fold symmetry; the largest inertia is about twice the smallest; \
                    the coupling is of the same order of magnitude as the inertia of an axis.",
        conditions: MAP_CONDITIONS,
        open: MAP_OPEN,
        work: Work::Compute(maps::high),
    },
    Item::drawing(Codourey1996, "fig5", "Block diagram of the controller"),
    Item {
        paper: Codourey1996,
        id: "fig6",
        title: "Tracking errors of four regulators",
        statement: "PD; with a constant inertia fed forward; with the dynamic model fed forward; the same with the phase \
                    shift. The error becomes smaller by as much as \"600 %\", which can only be a factor of six.",
        conditions: LOOP_CONDITIONS,
        open: "The curves: gains, masses, motor lag and axes are not printed. The factor depends on how well the controller \
               knows the masses: six is a model that is good to about ten per cent.",
        work: Work::Compute(control::four_1996),
    },
];

/// In the order of the paper.
pub(crate) const ITEMS_1998: &[Item] = &[
    Item::drawing(Codourey1998, "fig1", "Velocities along a rigid bar"),
    Item::drawing(Codourey1998, "fig2", "The DELTA robot"),
    Item::drawing(Codourey1998, "fig3", "Geometric parameters"),
    Item {
        paper: Codourey1998,
        id: "fig4",
        title: "Mass matrix at z = −230 mm",
        statement: "Nine graphs, one for each entry. Three-fold symmetry; the ratio of largest and smallest inertia is about \
                    2; the coupling has the same order of magnitude as the inertia of an axis.",
        conditions: MAP_CONDITIONS,
        open: MAP_OPEN,
        work: Work::Compute(maps::high),
    },
    Item {
        paper: Codourey1998,
        id: "fig5",
        title: "Mass matrix at z = −350 mm",
        statement: "The same lower down; the inertias vary more in the upper part of the workspace (figure 4).",
        conditions: MAP_CONDITIONS,
        open: MAP_OPEN,
        work: Work::Compute(maps::low),
    },
    Item::drawing(Codourey1998, "fig6", "Block diagram of the controller"),
    Item {
        paper: Codourey1998,
        id: "table1",
        title: "Computation times",
        statement: "On a T800 transputer: trajectory 149 µs, coordinate transformation 244 µs, dynamics 704 µs, mass matrix \
                    233 µs; hence three processors for a period of 1 ms.",
        conditions: "The same four tasks, measured now on one core of this machine: the median over blocks of calls. The \
                     dynamics and the mass matrix contain the inverse kinematics.",
        open: "Times belong to machines: what can be compared is the size. Instructions, which do not depend on the load, are \
               counted by crates/legwork-core/benches/instructions.rs (rows table_1_*).",
        work: Work::Compute(times::table_1),
    },
    Item {
        paper: Codourey1998,
        id: "fig7",
        title: "Tracking errors of four regulators",
        statement: "The more complete the model, the smaller the error; from regulator 1 (PD) to 4 (model with phase shift) \
                    the largest error shrinks by a factor of 6. The mass matrix in series with the regulator brings no \
                    further gain.",
        conditions: LOOP_CONDITIONS,
        open: "The curves: gains, masses, motor lag and axes are not printed. The factor depends on how well the controller \
               knows the masses: six is a model that is good to about ten per cent.",
        work: Work::Compute(control::four_1998),
    },
    Item {
        paper: Codourey1998,
        id: "fig8",
        title: "Arrival by three laws",
        statement: "Parabolic (51 m/s²), sine-on-ramp (80 m/s²) and non-symmetric sine-on-ramp (120 and 60 m/s²): a smooth \
                    and non-symmetric profile reduces the overshoot. Pick and place over 250 mm at more than 3 Hz.",
        conditions: "As figure 7. The printed accelerations fix the duration, which the paper leaves out: it is the same for \
                     all three laws, 0.1534 s. Overshoot is the deepest point below the target.",
        open: "The photographs: their ringing by millimetres needs elastic links, which no paper models.",
        work: Work::Compute(control::arrival),
    },
];
