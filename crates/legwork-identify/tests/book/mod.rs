//! Tables of the book that a campaign writes: `UPDATE_DOCUMENTS=1` puts them in, otherwise they must be what stands there.

use std::path::PathBuf;

/// The lines between `<!-- name -->` and `<!-- end of name -->` of a page.
pub fn table(page: &str, name: &str, lines: &[String]) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../book/src").join(page);
    let text = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n"));
    let (before, rest) = text.split_once(&begin).expect("the page has the table");
    let (stands, after) = rest.split_once(&end).expect("the table has an end");
    let wanted: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    print!("{wanted}");
    if std::env::var_os("UPDATE_DOCUMENTS").is_some() {
        std::fs::write(&path, format!("{before}{begin}{wanted}{end}{after}")).unwrap();
    } else {
        assert!(stands == wanted, "{page} is stale: run this test with UPDATE_DOCUMENTS=1");
    }
}
