//! Which bodies form the core: the set with the least estimated work.

use super::layout::Layout;
use super::linkage::Linkage;
use std::collections::BTreeSet;

/// Sets that are followed from one size to the next.
const BEAM: usize = 8;
/// Most bodies of a core that is searched for.
const MOST: usize = 5;

/// Sets of clusters around the platform, the one with the least estimated work first; the whole mechanism last.
pub(super) fn candidates(linkage: &Linkage, platform: usize) -> Vec<Layout> {
    let neighbours = |set: &BTreeSet<usize>| -> BTreeSet<usize> {
        let touching = linkage.links.iter().filter_map(|link| match link.ends {
            [a, b] if a != 0 && b != 0 && set.contains(&a) && !set.contains(&b) => Some(b),
            [a, b] if a != 0 && b != 0 && set.contains(&b) && !set.contains(&a) => Some(a),
            _ => None,
        });
        touching.collect()
    };
    let mut seen: BTreeSet<BTreeSet<usize>> = BTreeSet::new();
    let mut valued: Vec<(f64, Layout)> = Vec::new();
    let mut front: Vec<BTreeSet<usize>> = vec![BTreeSet::from([platform])];
    for _ in 0..MOST {
        let mut next: Vec<(f64, BTreeSet<usize>)> = Vec::new();
        for set in front.drain(..) {
            if !seen.insert(set.clone()) {
                continue;
            }
            let core: Vec<usize> = set.iter().copied().collect();
            let value = Layout::with_core(linkage, &core).map(|layout| (work(linkage, &layout), layout));
            let cost = value.as_ref().map_or(f64::MAX, |(cost, _)| *cost);
            valued.extend(value);
            next.push((cost, set));
        }
        next.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, set) in next.into_iter().take(BEAM) {
            for other in neighbours(&set) {
                let mut larger = set.clone();
                larger.insert(other);
                if !seen.contains(&larger) && !front.contains(&larger) {
                    front.push(larger);
                }
            }
        }
    }
    valued.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut layouts: Vec<Layout> = valued.into_iter().map(|(_, layout)| layout).collect();
    let everything: Vec<usize> = (1..linkage.clusters.len()).collect();
    layouts.extend(Layout::with_core(linkage, &everything));
    layouts
}

/// Estimated instructions of one inverse and one forward dynamics, but for what every tree costs.
fn work(linkage: &Linkage, layout: &Layout) -> f64 {
    let core = layout.blocks.len() - 1;
    let mut sum = 0.0;
    let mut motors = 0.0;
    let count = |n: usize| n as f64;
    for block in 0..=core {
        let [passive, own_motors, others] =
            layout.natural_columns(linkage, block).map(|list| count(list.len()));
        let rows = count(layout.natural_rows(linkage, block));
        if block < core {
            let rest = own_motors + others;
            let groups = ((passive + rest) / 4.0).ceil();
            let pivots = passive.min(rows);
            sum += rows * (passive + rest) * 8.0;
            sum += pivots * (rows - 0.5 * pivots).max(0.0) * 0.6 * (8.0 + 18.0 * groups);
            sum += 3.0 * pivots * (12.0 + 14.0 * groups) + 10.0 * (passive + rest);
            sum += (rows - pivots).max(0.0) * rest * 6.0 + pivots * (passive + rest) * 14.0;
            motors += own_motors;
        } else {
            motors += own_motors;
            let groups = ((passive + motors) / 4.0).ceil();
            sum += rows * passive * 8.0;
            sum += passive * passive * 0.35 * (8.0 + 13.0 * groups);
            sum += 3.0 * passive * (12.0 + 10.0 * groups) + passive * passive * 0.5 * 20.0;
        }
    }
    // Mass matrix: pairs of rates on each way to the ground.
    for node in 0..layout.nodes.len() {
        let own = layout.nodes[node].joint.freedoms();
        let path = layout.path(node + 1).len();
        sum += count(own) * count(path) * 30.0;
    }
    sum
}
