//! The addresses of views, `nnz-view:/y.loops.txt?source=file%3A%2F%2F%2Fa.nnz&kernel=y&view=loops`, and of what codes
//! mean, `nnz-view:/E0322.md?code=E0322`.

use nnz_core::{
    check::command::View,
    diagnostic::{Code, did_you_mean},
    listing::{ending_of, language_of},
};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use tower_lsp::lsp_types::Url;

pub(crate) const SCHEME: &str = "nnz-view";

/// A view of a kernel of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) source: Url,
    pub(crate) kernel: String,
    pub(crate) view: View,
}

impl Address {
    /// Takes an address apart. Clients may encode the `=` and `&` of the query, so it is decoded as a whole: only the
    /// first of the three parts may contain the names of the others.
    ///
    /// # Errors
    /// Why it is not an address.
    pub(crate) fn parse(url: &Url) -> Result<Address, String> {
        let wrong = || format!("`{url}` is not `{SCHEME}:/TITLE?source=URI&kernel=NAME&view=VIEW`");
        let query = url.query().filter(|_| url.scheme() == SCHEME).ok_or_else(wrong)?;
        let query = percent_decode_str(query).decode_utf8().map_err(|_| wrong())?;
        let (rest, view) = query.rsplit_once("&view=").ok_or_else(wrong)?;
        let (source, kernel) = rest.rsplit_once("&kernel=").ok_or_else(wrong)?;
        let source = source.strip_prefix("source=").and_then(|source| Url::parse(source).ok()).ok_or_else(wrong)?;
        Ok(Address { source, kernel: kernel.to_string(), view: named(view)? })
    }

    pub(crate) fn url(&self) -> Option<Url> {
        Url::parse(&spelled(&encoded(self.source.as_str()), &self.kernel, self.view)).ok()
    }
}

/// The address of what a code means.
pub(crate) fn meaning(code: Code) -> Option<Url> {
    let code = code.text();
    Url::parse(&format!("{SCHEME}:/{code}.md?code={code}")).ok()
}

/// The code whose meaning has this address.
pub(crate) fn meant(url: &Url) -> Option<Code> {
    let query = url.query().filter(|_| url.scheme() == SCHEME)?;
    Code::parse(percent_decode_str(query).decode_utf8().ok()?.strip_prefix("code=")?)
}

/// The address of a view of a kernel of the text at `source`, which is encoded.
pub(crate) fn spelled(source: &str, kernel: &str, view: View) -> String {
    format!("{SCHEME}:/{}?source={source}&kernel={}&view={}", title(kernel, view), encoded(kernel), view.name())
}

/// A part of an address.
pub(crate) fn encoded(part: &str) -> String {
    utf8_percent_encode(part, NON_ALPHANUMERIC).to_string()
}

/// A name that ends as files of the language do.
fn title(kernel: &str, view: View) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') { c } else { '-' };
    let kernel: String = kernel.trim_start_matches('@').chars().map(plain).collect();
    let ending = ending_of(view);
    match language_of(view) {
        "plaintext" | "nnz-loops" => format!("{kernel}.{}.{ending}", view.name()),
        _ => format!("{kernel}.{ending}"),
    }
}

/// # Errors
/// No view of kernels has this name.
fn named(name: &str) -> Result<View, String> {
    let names = || View::ALL.iter().filter(|view| view.is_of_kernel()).map(|view| view.name());
    let found = View::ALL.iter().find(|view| view.is_of_kernel() && view.name() == name);
    found.copied().ok_or_else(|| match did_you_mean(name, names()) {
        Some(near) => format!("there is no view `{name}` of kernels: did you mean `{near}`?"),
        None => format!("there is no view `{name}` of kernels: there are {}", names().collect::<Vec<_>>().join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(source: &str, kernel: &str, view: View) -> Address {
        Address { source: Url::parse(source).unwrap(), kernel: kernel.to_string(), view }
    }

    #[test]
    fn an_address_is_read_back() {
        let sources = ["file:///a.nnz", "file:///a%20b/%C3%A4&kernel=x+y.nnz", "untitled:Untitled-1"];
        for source in sources {
            for kernel in ["y", "y#2", "@f/linalg.generic#2"] {
                let one = address(source, kernel, View::Loops);
                let url = one.url().unwrap();
                assert_eq!(Address::parse(&url), Ok(one.clone()), "{url}");
                // As VS Code writes it.
                let encoded = url.as_str().replace('&', "%26").replace('=', "%3D");
                assert_eq!(Address::parse(&Url::parse(&encoded).unwrap()), Ok(one), "{encoded}");
            }
        }
    }

    #[test]
    fn the_address_of_a_meaning_is_read_back() {
        let url = meaning(Code::SyntaxError).unwrap();
        assert_eq!(url.as_str(), "nnz-view:/E0001.md?code=E0001");
        assert_eq!(meant(&url), Some(Code::SyntaxError));
        assert_eq!(meant(&Url::parse("nnz-view:/E0001.md?code%3DE0001").unwrap()), Some(Code::SyntaxError));
        for other in ["nnz-view:/E9999.md?code=E9999", "file:///E0001.md?code=E0001", "nnz-view:/y?view=c"] {
            assert_eq!(meant(&Url::parse(other).unwrap()), None, "{other}");
        }
    }

    #[test]
    fn the_title_ends_as_files_of_the_language_do() {
        assert_eq!(title("y", View::Loops), "y.loops.txt");
        assert_eq!(title("y#2", View::C), "y-2.c");
        assert_eq!(title("@f/linalg.generic", View::Llvm), "f-linalg.generic.ll");
    }

    #[test]
    fn what_is_no_address_is_told() {
        let told = |url: &str| Address::parse(&Url::parse(url).unwrap()).unwrap_err();
        let source = "nnz-view:/y?source=file%3A%2F%2F%2Fa.nnz";
        assert_eq!(
            told(&format!("{source}&kernel=y&view=loop")),
            "there is no view `loop` of kernels: did you mean `loops`?"
        );
        assert!(told(&format!("{source}&kernel=y&view=spy")).starts_with("there is no view `spy` of kernels: "));
        for wrong in ["file:///a.nnz", "nnz-view:/y", source, "nnz-view:/y?source=a&kernel=y&view=c"] {
            assert!(told(wrong).contains("is not `nnz-view:/TITLE?source=URI&kernel=NAME&view=VIEW`"), "{wrong}");
        }
    }
}
