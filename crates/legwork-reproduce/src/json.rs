//! The same for scripts.

use crate::{ErratumResult, ItemResult, Reproduction, Selection};
use serde_json::{Value, json};

impl Selection {
    /// The figures, tables and claims as JSON.
    pub fn to_json(&self) -> Value {
        let items = self.items.iter().map(|item| {
            json!({
                "paper": item.paper.name(),
                "id": item.id,
                "title": item.title,
                "is_result": item.is_result(),
                "statement": item.statement,
                "conditions": item.conditions,
                "not_comparable": item.open,
            })
        });
        json!({ "items": items.collect::<Vec<_>>() })
    }
}

impl Reproduction {
    /// Numbers, claims, errata and verdicts as JSON; the figures are left out.
    pub fn to_json(&self) -> Value {
        json!({
            "agrees": self.agrees(),
            "items": self.items.iter().map(ItemResult::to_json).collect::<Vec<_>>(),
            "errata": self.errata.iter().map(ErratumResult::to_json).collect::<Vec<_>>(),
        })
    }
}

impl ErratumResult {
    fn to_json(&self) -> Value {
        let sizes: Vec<Value> = match &self.sizes {
            Some(Ok(list)) => list
                .iter()
                .map(|size| {
                    json!({
                        "what": size.what,
                        "unit": size.unit,
                        "printed": size.printed,
                        "right": size.right.map(|(right, _)| right),
                        "holds": size.holds(),
                    })
                })
                .collect(),
            Some(Err(reason)) => vec![json!({ "failed": reason })],
            None => Vec::new(),
        };
        json!({
            "paper": self.paper.name(),
            "place": self.place,
            "kind": self.kind.name(),
            "printed": self.printed,
            "right": self.right,
            "sizes": sizes,
        })
    }
}

impl ItemResult {
    fn to_json(&self) -> Value {
        let (mut numbers, mut claims, mut scores) = (Vec::new(), Vec::new(), Vec::new());
        let mut failed = None;
        match &self.findings {
            Some(Ok(findings)) => {
                numbers.extend(findings.numbers.iter().map(|number| {
                    json!({
                        "what": number.what,
                        "unit": number.unit,
                        "found": number.found,
                        "expected": number.expected.to_string(),
                        "by": number.source.name(),
                        "is_compared": number.is_compared(),
                        "agrees": number.agrees(),
                        "difference": number.difference,
                    })
                }));
                claims.extend(findings.claims.iter().map(
                    |claim| json!({ "what": claim.what, "holds": claim.holds, "by": claim.source.name(), "difference": claim.difference }),
                ));
                scores.extend(findings.scores().iter().map(
                    |score| json!({ "by": score.source.name(), "agree": score.agree, "of": score.all }),
                ));
            }
            Some(Err(reason)) => failed = Some(reason),
            None => {}
        }
        json!({
            "paper": self.paper.name(),
            "id": self.id,
            "title": self.title,
            "is_result": self.is_result(),
            "statement": self.statement,
            "conditions": self.conditions,
            "not_comparable": self.not_comparable,
            "agrees": self.agrees(),
            "failed": failed,
            "scores": scores,
            "numbers": numbers,
            "claims": claims,
        })
    }
}
