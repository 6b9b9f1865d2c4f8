//! A report as JSON, as the page reads it.

use super::pack::{base64, doubles, singles};
use super::{Animation, Attachment, Axis, Block, Cloud, HeatMap, Lines, Moving, Multiples, Report, Table};
use crate::text::printable_lines;
use serde_json::{Value, json};
use std::borrow::Cow;

/// Counts changes that an older page could not read.
const VERSION: u32 = 1;

impl Report {
    /// As the page reads it.
    pub fn to_json(&self) -> Value {
        let robot = self.robot.as_ref().map(|(name, text)| json!({ "name": name, "text": text }));
        let sections = self.sections.iter().map(|section| {
            let blocks: Vec<Value> = section.blocks.iter().map(block).collect();
            json!({ "title": section.title, "blocks": blocks })
        });
        let mut report = json!({
            "format": VERSION,
            "title": self.title,
            "command": self.command,
            "robot": robot,
            "requests": self.requests,
            "program": self.program,
            "date": self.date,
            "sections": sections.collect::<Vec<_>>(),
        });
        make_printable(&mut report);
        report
    }
}

/// Names and texts of files are shown on a page, too.
fn make_printable(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(shown) = printable_lines(text) {
                *text = shown;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_printable),
        Value::Object(entries) => entries.values_mut().for_each(make_printable),
        _ => {}
    }
}

fn block(block: &Block) -> Value {
    match block {
        Block::Text(text) => json!({ "kind": "text", "text": text }),
        Block::Table(block) => table(block),
        Block::Lines(block) => lines(block),
        Block::HeatMap(block) => heat_map(block),
        Block::Cloud(block) => cloud(block),
        Block::Multiples(block) => multiples(block),
        Block::Animation(block) => animation(block),
        Block::Attachment(block) => attachment(block),
    }
}

fn axis(axis: &Axis) -> Value {
    json!({ "name": axis.name, "unit": axis.unit })
}

fn table(table: &Table) -> Value {
    let columns: Vec<Value> = table.columns.iter().map(axis).collect();
    json!({ "kind": "table", "title": table.title, "columns": columns, "rows": table.rows })
}

/// Curves over the same points share them: `grids` are the distinct axes.
fn lines(lines: &Lines) -> Value {
    let mut grids: Vec<&[f64]> = Vec::new();
    let mut curves = Vec::new();
    for curve in &lines.curves {
        let grid = grids.iter().position(|grid| *grid == curve.x).unwrap_or_else(|| {
            grids.push(&curve.x);
            grids.len() - 1
        });
        curves.push(json!({
            "name": curve.name,
            "run": curve.run,
            "grid": grid,
            "y": singles(curve.y.iter().copied()),
        }));
    }
    let grids: Vec<Value> = grids.into_iter().map(doubles).collect();
    json!({
        "kind": "lines",
        "title": lines.title,
        "x": axis(&lines.x),
        "y": axis(&lines.y),
        "grids": grids,
        "curves": curves,
    })
}

fn heat_map(map: &HeatMap) -> Value {
    json!({
        "kind": "heat",
        "title": map.title,
        "x": axis(&map.x.0),
        "columns": doubles(&map.x.1),
        "y": axis(&map.y.0),
        "rows": doubles(&map.y.1),
        "value": axis(&map.value),
        "cells": singles(map.cells.iter().copied()),
        "range": map.ends(),
        "computed": map.computed,
    })
}

fn cloud(cloud: &Cloud) -> Value {
    let groups = cloud.groups.iter().map(|group| {
        let part = |k: usize| singles(group.points.iter().map(move |point| point[k]));
        json!({ "name": group.name, "marker": group.marker.name(), "x": part(0), "y": part(1) })
    });
    json!({
        "kind": "cloud",
        "title": cloud.title,
        "x": axis(&cloud.x),
        "y": axis(&cloud.y),
        "groups": groups.collect::<Vec<_>>(),
        "equal": cloud.equal,
    })
}

fn multiples(multiples: &Multiples) -> Value {
    let blocks: Vec<Value> = multiples.blocks.iter().map(block).collect();
    json!({ "kind": "multiples", "title": multiples.title, "columns": multiples.columns, "blocks": blocks })
}

fn animation(animation: &Animation) -> Value {
    let moving = |run: &Moving| {
        let parts = run.skeleton.parts.iter();
        let parts =
            parts.map(|part| json!({ "kind": part.kind.name(), "leg": part.leg, "points": part.points }));
        json!({
            "name": run.name,
            "times": doubles(&run.times),
            "count": run.skeleton.points.len(),
            "points": singles(run.frames.iter().flatten().flatten().copied()),
            "parts": parts.collect::<Vec<_>>(),
            "joints": run.skeleton.legs,
            "motors": run.skeleton.motors,
            "platform": run.skeleton.platform,
        })
    };
    let all = |list: &[Moving]| list.iter().map(moving).collect::<Vec<_>>();
    json!({
        "kind": "animation",
        "title": animation.title,
        "runs": all(&animation.runs),
        "references": all(&animation.references),
    })
}

fn attachment(file: &Attachment) -> Value {
    json!({
        "kind": "attachment",
        "name": file.name,
        "media_type": file.media_type,
        "size": file.bytes.len(),
        "base64": base64(&file.bytes),
    })
}
