//! Legs that nobody recognises, followed along random lines: the same branch as a judge that goes there in small steps,
//! and refused only where the judge is lost too.
//!
//! The judge integrates J_i q' = J_vi V along the line, Runge and Kutta's fourth order in steps of 10 mrad of the joints,
//! with its own elimination; it shares no line with the Newton steps of the library but frames and attachments.

use legwork_core::engine::{
    Attachment, AxisLink, Chain, Drive, JointKind, Leg, LegInverse, Pose, Twist, continuation::Lost,
};
use legwork_core::{M3, V3};
use legwork_testkit::Seeded;
use std::array::from_fn;
use std::fmt;

const SEED: u64 = 0x0c0f_fee5;
fn unit(rng: &mut Seeded) -> V3<f64> {
    loop {
        let v = V3::from(rng.triple(1.0));
        if (0.05..1.0).contains(&v.norm_sq()) {
            return v * (1.0 / v.norm_sq().sqrt());
        }
    }
}

fn rotation(rng: &mut Seeded) -> M3<f64> {
    let (x, other) = (unit(rng), unit(rng));
    let z = x.cross(other);
    let z = z * (1.0 / z.norm_sq().sqrt());
    M3::from_columns(x, z.cross(x), z)
}

/// A leg of N joints of any kind and direction, and the pose at which its start values close it.
fn some_leg<const N: usize>(rng: &mut Seeded) -> (Leg<f64, N>, Pose<f64>) {
    let flat = N == 2;
    let direction = |rng: &mut Seeded, turns: bool| match (flat, turns) {
        (true, true) => V3::new(0.0, 0.0, 1.0),
        (true, false) => {
            let a = rng.uniform(-3.0, 3.0);
            V3::new(a.cos(), a.sin(), 0.0)
        }
        _ => unit(rng),
    };
    let place = |rng: &mut Seeded| {
        let p = V3::from(rng.triple(0.5));
        if flat { V3::new(p.x, p.y, 0.0) } else { p }
    };
    let links: [AxisLink<f64>; N] = from_fn(|_| {
        let turns = rng.uniform(0.0, 1.0) < 0.7;
        AxisLink {
            kind: if turns { JointKind::Revolute } else { JointKind::Prismatic },
            active: true,
            placement: Pose::translation(place(rng)),
            axis: direction(rng, turns),
            body: None,
            drive: Drive::ideal(),
        }
    });
    let tip = place(rng);
    let (chain, _) = Chain::from_axes(links, tip);
    let seed: [f64; N] = from_fn(|_| rng.uniform(-0.5, 0.5));
    let posture = chain.posture(&chain.values(&seed));
    let home = if flat {
        Pose::new(M3::rotation_z(0.8, 0.6), V3::from([rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), 0.0]))
    } else {
        Pose::new(rotation(rng), V3::from(rng.triple(0.5)))
    };
    let point = home.rotation.transpose() * (posture.point - home.position);
    let tip = posture.tip_rotation();
    let to_platform = home.rotation.transpose();
    let leg_axis = unit(rng);
    let across = leg_axis.cross(unit(rng));
    let across = across * (1.0 / across.norm_sq().sqrt());
    let attachment = match N {
        2 => Attachment::planar_xy(point),
        3 => Attachment::Spherical { point },
        4 => Attachment::Universal { point, leg_axis, platform_axis: to_platform * (tip * across) },
        5 => {
            let normals = [across, leg_axis.cross(across)].map(|n| to_platform * (tip * n));
            Attachment::Revolute { point, leg_axis, platform_normals: normals }
        }
        _ => Attachment::Fixed { frame: Pose::new(to_platform * tip, point) },
    };
    (Leg { chain, attachment, inverse: LegInverse::Numerical { seed, steps: 12 } }, home)
}

/// Solves a x = b by elimination with the largest pivot; x and the determinant.
fn solved<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> ([f64; N], f64) {
    let mut det = 1.0;
    for k in 0..N {
        let best = (k..N).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        if best != k {
            a.swap(best, k);
            b.swap(best, k);
            det = -det;
        }
        det *= a[k][k];
        for i in k + 1..N {
            let f = a[i][k] / a[k][k];
            let row = a[k];
            a[i].iter_mut().zip(row).skip(k).for_each(|(entry, pivot)| *entry -= f * pivot);
            b[i] -= f * b[k];
        }
    }
    let mut x = [0.0; N];
    for i in (0..N).rev() {
        let sum: f64 = (i + 1..N).map(|j| a[i][j] * x[j]).sum();
        x[i] = (b[i] - sum) / a[i][i];
    }
    (x, det)
}

/// The joints' rates along a line, and the determinant of J_i.
fn slope<const N: usize>(
    leg: &Leg<f64, N>,
    q: &[f64; N],
    pose: &Pose<f64>,
    way: Twist<f64>,
) -> ([f64; N], f64) {
    let chain = leg.chain.posture(&leg.chain.values(q));
    let passed = leg.attached(pose, &chain);
    solved(passed.of_leg(&chain.screws), passed.components(way.at(passed.offset())))
}

/// The judge: joints at every point of a line that it reaches.
fn judged<const N: usize>(
    leg: &Leg<f64, N>,
    start: &[f64; N],
    from: &Pose<f64>,
    way: Twist<f64>,
    points: usize,
) -> Vec<[f64; N]> {
    let (mut q, mut at) = (*start, 0.0);
    let sign = slope(leg, &q, from, way).1;
    let mut reached = Vec::new();
    for k in 1..=points {
        let target = k as f64 / points as f64;
        let mut shorter = 1.0;
        while at < target {
            let pose = |s: f64| from.on_the_way(&way, s);
            let rate = |q: &[f64; N], s: f64| slope(leg, q, &pose(s), way).0;
            let moved = |q: &[f64; N], k: &[f64; N], h: f64| -> [f64; N] { from_fn(|i| q[i] + h * k[i]) };
            let first = rate(&q, at);
            let speed = first.iter().map(|x| x * x).sum::<f64>().sqrt();
            let wanted = (0.01 / speed).min(0.005) * shorter;
            if wanted.is_nan() || wanted <= 1e-11 {
                return reached;
            }
            let h = if at + wanted >= target { target - at } else { wanted };
            let second = rate(&moved(&q, &first, 0.5 * h), at + 0.5 * h);
            let third = rate(&moved(&q, &second, 0.5 * h), at + 0.5 * h);
            let fourth = rate(&moved(&q, &third, h), at + h);
            let mut next: [f64; N] =
                from_fn(|i| q[i] + h / 6.0 * (first[i] + 2.0 * (second[i] + third[i]) + fourth[i]));
            let there = if at + wanted >= target { target } else { at + h };
            // Two plain corrections keep what the integration drifts.
            let mut corrected = 0.0;
            for _ in 0..2 {
                let chain = leg.chain.posture(&leg.chain.values(&next));
                let jacobian = leg.attached(&pose(there), &chain).of_leg(&chain.screws);
                let step = solved(jacobian, leg.gaps(&pose(there), &next)).0;
                corrected += step.iter().map(|x| x.abs()).sum::<f64>();
                next = from_fn(|i| next[i] + step[i]);
            }
            let det = slope(leg, &next, &pose(there), way).1;
            if det * sign > 0.0 && corrected < 1e-4 {
                (q, at) = (next, there);
                shorter = (2.0 * shorter).min(1.0);
            } else {
                shorter *= 0.25;
            }
        }
        reached.push(q);
    }
    reached
}

/// What became of points.
#[derive(Default)]
struct Tally {
    points: usize,
    agreed: usize,
    /// Refused by both.
    lost: usize,
    /// Of so many that were lost another branch was sought, and found for so many.
    searched: usize,
    other_branch: usize,
    /// Another branch, without a word.
    silent: usize,
    /// Refused where the judge arrives.
    refused: usize,
    /// Answered where the judge is lost.
    bold: usize,
    most_steps: u32,
    steps: u64,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} points: {} agree, {} lost for both (another branch reaches {} of {}); {} silently in another \
             branch, {} refused that the judge closes, {} answered where it is lost; {:.1} Newton steps each, at most {}",
            self.points,
            self.agreed,
            self.lost,
            self.other_branch,
            self.searched,
            self.silent,
            self.refused,
            self.bold,
            self.steps as f64 / self.points as f64,
            self.most_steps
        )
    }
}

/// A line from where the leg is, and the fresh answer at each of its points beside the judge's.
fn line<const N: usize>(rng: &mut Seeded, points: usize, tally: &mut Tally) {
    let (leg, home) = loop {
        let (leg, home) = some_leg::<N>(rng);
        let LegInverse::Numerical { seed, .. } = leg.inverse else { unreachable!() };
        // A leg that is singular where it starts has no branch to keep.
        if leg.newton_step(&home, &seed, &[0.0; N]).margin() > 0.02 {
            break (leg, home);
        }
    };
    let LegInverse::Numerical { seed, .. } = leg.inverse else { unreachable!() };
    // Beyond half a turn the straight motion to a point is the other way round.
    let (shift, turn) = (V3::from(rng.triple(0.8)), V3::from(rng.triple(1.75)));
    let way = if N == 2 {
        Twist::new(V3::new(shift.x, shift.y, 0.0), V3::new(0.0, 0.0, turn.z))
    } else {
        Twist::new(shift, turn)
    };
    let judge = judged(&leg, &seed, &home, way, points);
    for k in 1..=points {
        let to = home.on_the_way(&way, k as f64 / points as f64);
        let found = leg.follow(&seed, &home, &to);
        tally.points += 1;
        tally.steps += u64::from(found.steps);
        if found.steps > tally.most_steps {
            tally.most_steps = found.steps;
        }
        match (found.arrived(), judge.get(k - 1)) {
            (true, Some(q)) => {
                // 1e-6: the leg closed to 1e-12, times a condition of a million; branches are far apart.
                let near = q.iter().zip(&found.joints).all(|(a, b)| (a - b).abs() < 1e-6);
                tally.agreed += usize::from(near);
                tally.silent += usize::from(!near);
            }
            (false, None) => {
                tally.lost += 1;
                // The search for other branches costs more than all the rest: at every twentieth.
                if k % 20 == 0 {
                    let lost = leg.lost(&home, &to);
                    tally.other_branch += usize::from(matches!(lost, Some(Lost { closes_there: true, .. })));
                    tally.searched += 1;
                }
            }
            (false, Some(_)) => tally.refused += 1,
            (true, None) => tally.bold += 1,
        }
    }
}

/// So many lines with so many points each.
fn lines(count: usize, points: usize) -> Tally {
    let mut rng = Seeded::new(SEED);
    let mut tally = Tally::default();
    for k in 0..count {
        match k % 5 {
            0 => line::<2>(&mut rng, points, &mut tally),
            1 => line::<3>(&mut rng, points, &mut tally),
            2 => line::<4>(&mut rng, points, &mut tally),
            3 => line::<5>(&mut rng, points, &mut tally),
            _ => line::<6>(&mut rng, points, &mut tally),
        }
    }
    println!("legs along random lines: {tally}");
    tally
}

fn holds(tally: &Tally) {
    assert_eq!((tally.silent, tally.refused, tally.bold), (0, 0, 0), "{tally}, seed {SEED:#x}");
    assert!(tally.agreed > tally.points / 5 && tally.lost > tally.points / 20, "{tally}");
}

#[test]
fn a_branch_is_kept_along_random_lines() {
    holds(&lines(5, 10));
}

/// A line near a singularity, where the steps must be short: found among thousands.
#[test]
fn a_branch_is_kept_in_short_steps() {
    let mut tally = Tally::default();
    line::<3>(&mut Seeded::new(SEED + 6), 8, &mut tally);
    assert_eq!((tally.agreed, tally.silent, tally.refused, tally.bold), (8, 0, 0, 0), "{tally}");
}

/// A million points; `./ci.sh attack` runs it.
#[test]
#[ignore = "minutes in an optimised build"]
fn a_branch_is_kept_along_a_million_points() {
    holds(&lines(2000, 500));
}

/// Two bars in the plane, and a platform whose pin goes along an arc: out of their reach, and back into it 0.6 rad on.
/// From one end the other is near enough for Newton's method, and there is no way.
#[test]
fn a_way_out_of_reach_and_back_is_no_way() {
    let bar = |x: f64| AxisLink {
        kind: JointKind::Revolute,
        active: true,
        placement: Pose::translation(V3::new(x, 0.0, 0.0)),
        axis: V3::new(0.0, 0.0, 1.0),
        body: None,
        drive: Drive::ideal(),
    };
    let (chain, _) = Chain::from_axes([bar(0.0), bar(0.5)], V3::new(0.5, 0.0, 0.0));
    let pin = |angle: f64| Pose::new(M3::rotation_z(angle.cos(), angle.sin()), V3::new(0.46, 0.0, 0.0));
    let attachment = Attachment::planar_xy(V3::new(0.545, 0.0, 0.0));
    let leg = Leg { chain, attachment, inverse: LegInverse::Numerical { seed: [0.0, 0.4], steps: 12 } };
    let [begin, end] = [pin(-0.3), pin(0.3)];
    let start = leg.nearest(&[0.0, 0.4], &begin).unwrap();
    assert!(leg.nearest(&start, &end).is_some(), "the end can be reached");
    assert!(leg.nearest(&start, &pin(0.0)).is_none(), "half way is out of reach");
    let found = leg.follow(&start, &begin, &end);
    assert!(!found.arrived() && found.way > 0.05 && found.way < 0.3, "{found:?}");
    let lost = Leg { inverse: LegInverse::Numerical { seed: start, steps: 2 }, ..leg }.lost(&begin, &end);
    assert!(matches!(lost, Some(Lost { closes_there: true, joint: 1, .. })), "{lost:?}");
    // Where it ends, the bars are stretched.
    let stretched = begin.on_the_way(&begin.way_to(&end), found.way).of(V3::new(0.545, 0.0, 0.0));
    assert!((stretched.norm_sq().sqrt() - 1.0).abs() < 1e-6, "{stretched:?}");
}

/// Straight motions end where they should, also after half a turn.
#[test]
fn a_straight_motion_ends_at_its_end() {
    let mut rng = Seeded::new(SEED + 1);
    for k in 0..200 {
        let from = Pose::new(rotation(&mut rng), rng.triple(1.0).into());
        let to = if k % 4 == 0 {
            let axis = unit(&mut rng) * std::f64::consts::PI;
            from.on_the_way(&Twist::new(rng.triple(1.0).into(), axis), 1.0)
        } else {
            Pose::new(rotation(&mut rng), rng.triple(1.0).into())
        };
        let way = from.way_to(&to);
        assert!(way.angular.norm_sq().sqrt() < std::f64::consts::PI + 1e-9);
        let end = from.on_the_way(&way, 1.0);
        let off = (end.rotation - to.rotation).to_rows().concat();
        let worst = legwork_testkit::largest(&off);
        assert!(worst < 1e-7, "{k}: {worst:e}"); // a half turn has its axis to the root of rounding
        assert!((end.position - to.position).norm_sq() < 1e-28);
    }
}
