//! A report without a script: the same sections, plots as SVG.

use crate::markup::{add, escaped};
use crate::svg;
use legwork::report::{Attachment, Block, Report, Table};
use std::io::{self, Write};

const STYLE: &str = include_str!("static.css");

pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let title = escaped(&report.title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}</h1>\n"
    );
    let robot = report.robot.as_ref().map(|(name, _)| format!("robot {name}"));
    let about: Vec<String> =
        [robot, Some(report.program.clone()), report.date.clone()].into_iter().flatten().collect();
    add(&mut page, format_args!("<p class=\"about\">{}</p>\n", escaped(&about.join(" · "))));
    if let Some(command) = &report.command {
        add(&mut page, format_args!("<pre>{}</pre>\n", escaped(command)));
    }
    if let Some((_, text)) = &report.robot {
        add(
            &mut page,
            format_args!("<details><summary>Robot file</summary><pre>{}</pre></details>\n", escaped(text)),
        );
    }
    for section in &report.sections {
        add(&mut page, format_args!("<h2>{}</h2>\n<div class=\"blocks\">\n", escaped(&section.title)));
        for one in &section.blocks {
            page.push_str(&block(one));
            page.push('\n');
        }
        page.push_str("</div>\n");
    }
    let program = escaped(&report.program);
    add(
        &mut page,
        format_args!(
            "<footer>Made by {program}, without a script: plots are pictures.</footer>\n</body>\n</html>\n"
        ),
    );
    out.write_all(page.as_bytes())
}

fn block(block: &Block) -> String {
    let (title, content) = match block {
        Block::Text(text) => return format!("<p>{}</p>", escaped(text)),
        Block::Table(one) => (&one.title, table(one)),
        Block::Lines(plot) => (&plot.title, svg::lines(plot)),
        Block::HeatMap(map) => (&map.title, svg::heat_map(map)),
        Block::Cloud(plot) => (&plot.title, svg::cloud(plot)),
        Block::Animation(one) => (&one.title, svg::animation(one)),
        Block::Multiples(several) => {
            let inner: String = several.blocks.iter().map(self::block).collect();
            let style = format!("style=\"--columns:{}\"", several.columns);
            (&several.title, format!("<div class=\"multiples\" {style}>{inner}</div>"))
        }
        Block::Attachment(file) => return attachment(file),
        _ => return "<p>This part needs a newer page.</p>".into(),
    };
    let caption =
        if title.is_empty() { String::new() } else { format!("<figcaption>{}</figcaption>", escaped(title)) };
    let wide = if matches!(block, Block::Table(_) | Block::Multiples(_)) { " class=\"wide\"" } else { "" };
    format!("<figure{wide}>{caption}{content}</figure>")
}

fn table(table: &Table) -> String {
    let mut out = String::from("<div class=\"scroll\"><table><thead><tr>");
    for column in &table.columns {
        add(&mut out, format_args!("<th>{}</th>", escaped(&column.label())));
    }
    out.push_str("</tr></thead><tbody>");
    for row in &table.rows {
        out.push_str("<tr>");
        for cell in row {
            add(&mut out, format_args!("<td>{}</td>", escaped(cell)));
        }
        out.push_str("</tr>");
    }
    out + "</tbody></table></div>"
}

/// A link that carries its file.
fn attachment(file: &Attachment) -> String {
    let mut bytes = String::with_capacity(3 * file.bytes.len());
    for byte in &file.bytes {
        add(&mut bytes, format_args!("%{byte:02x}"));
    }
    let (kind, name) = (escaped(&file.media_type), escaped(&file.name));
    format!("<p><a download=\"{name}\" href=\"data:{kind},{bytes}\">Save {name}</a></p>")
}
