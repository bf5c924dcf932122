//! The files of a package and of what it needs: found, lowered, and told as facts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use healguard_rules::schema::Func;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bodies::Placed;
use crate::diagnostic::Diagnostic;
use crate::emit::Emitter;
use crate::facts::Facts;
use crate::ir::{Body, Kind, Name};
use crate::snapshot::Snapshot;
use crate::ssa::SsaBody;
use crate::world::{SearchPath, World};

use super::code::Code;

/// A package: its files, and the folder that modules are imported from.
#[derive(Clone, Debug)]
pub struct Package {
    pub name: String,
    /// As the caller named it.
    pub path: PathBuf,
    pub files: Vec<PathBuf>,
    root: PathBuf,
}

impl Package {
    /// The package in a folder, a folder of packages, or a single module.
    ///
    /// # Errors
    /// Nothing is there, or no Python.
    pub fn at(path: &Path) -> Result<Package, Diagnostic> {
        let unreadable = |error: std::io::Error| Diagnostic::unreadable(path, &error);
        let whole = std::fs::canonicalize(path).map_err(unreadable)?;
        let mut files = Vec::new();
        if whole.is_dir() {
            gather(&whole, &mut files).map_err(unreadable)?;
        } else if is_python(&whole) {
            files.push(whole.clone());
        }
        if files.is_empty() {
            return Err(Diagnostic::new("there is no Python file here")
                .in_file(path)
                .mend("name the folder of a package, a folder of packages, or a file whose name ends in `.py`"));
        }
        files.sort();
        let top = if whole.is_dir() { whole.as_path() } else { whole.parent().unwrap_or(&whole) };
        let mut root = top;
        while let (true, Some(above)) = (root.join(INIT).is_file(), root.parent()) {
            root = above;
        }
        let name =
            whole.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
        Ok(Package { name, path: path.to_owned(), files, root: root.to_owned() })
    }

    /// The file of a module that the package may import.
    fn file_of(&self, module: &str) -> Option<PathBuf> {
        let relative: PathBuf = module.split('.').collect();
        let beside = self.root.join(&relative);
        [beside.join(INIT), beside.with_extension("py")].into_iter().find(|file| file.is_file())
    }

    /// The files that the modules import and that are not among them: those of other packages.
    #[must_use]
    pub fn needed(&self, modules: &[LoweredModule]) -> Vec<PathBuf> {
        let known: FxHashSet<&Path> = modules.iter().map(|module| module.path.as_path()).collect();
        let imported: BTreeSet<&Name> = modules.iter().flat_map(|module| &module.imports).collect();
        let files = imported.into_iter().filter_map(|module| self.file_of(module));
        let needed: BTreeSet<PathBuf> = files.filter(|file| !known.contains(file.as_path())).collect();
        needed.into_iter().collect()
    }

    /// The name of the module in a file.
    fn module_name(&self, file: &Path) -> String {
        let inside = file.strip_prefix(&self.root).unwrap_or(file).with_extension("");
        let parts: Vec<_> = inside.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        let named =
            if parts.last().is_some_and(|last| last == "__init__") { &parts[..parts.len() - 1] } else { &parts };
        named.join(".")
    }
}

const INIT: &str = "__init__.py";

fn is_python(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "py")
}

/// The Python files below a folder; links are not followed, and what is hidden is no part of a package.
fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let (entry, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
        let is_hidden = entry.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if kind.is_dir() && !is_hidden {
            gather(&entry, files)?;
        } else if kind.is_file() && is_python(&entry) {
            files.push(entry);
        }
    }
    Ok(())
}

/// A file, lowered.
#[derive(Debug)]
pub struct LoweredModule {
    pub path: PathBuf,
    pub name: Name,
    /// Whether it is the `__init__.py` of a package.
    pub is_package: bool,
    /// Whether it belongs to what is measured.
    pub is_counted: bool,
    pub codes: Vec<Code>,
    pub instructions: usize,
    pub facts: usize,
    /// Modules that may be imported from here.
    imports: Vec<Name>,
}

/// Reads and lowers one file: every body of it to instructions, to single assignment form and to facts.
///
/// # Errors
/// A file that cannot be read, or is not Python.
pub fn lower(package: &Package, path: &Path, is_counted: bool) -> Result<LoweredModule, Diagnostic> {
    let snapshot = Snapshot::default();
    let search = SearchPath { repository: package.root.clone(), ..SearchPath::default() };
    let mut world = World::new(&snapshot, search, FxHashSet::default());
    let unreadable = Diagnostic::new("this file cannot be read").in_file(path).mend("check its permissions");
    let file = world.file(path).ok_or(unreadable)?;
    let bodies = match &world.files[file].lowered {
        Ok(lowered) => lowered.bodies.clone(),
        Err(error) => {
            let (text, at) = (&world.files[file].text, error.offset as usize);
            let message = format!("not Python: {}", error.message);
            return Err(Diagnostic::new(message).in_file(path).at_bytes_of(text, at..at).mend("mend the syntax error"));
        }
    };
    let mut module = LoweredModule {
        path: path.to_owned(),
        name: Name::from(package.module_name(path).as_str()),
        is_package: path.ends_with(INIT),
        is_counted,
        codes: Vec::new(),
        instructions: bodies.iter().map(|body| body.nodes.len()).sum(),
        facts: 0,
        imports: Vec::new(),
    };
    for body in &bodies {
        module.imports.extend(imports(&module, body));
    }
    let mut facts = Facts::default();
    let (mut first_point, mut first_var) = (1, 0);
    for (body, ir) in bodies.into_iter().enumerate() {
        let mut placed = Placed::new(Func(body as u32), (file, body), (first_point, first_var), SsaBody::new(ir));
        first_point += placed.ssa.body.nodes.len() as u32;
        let (nodes, joins) = placed.take_new();
        let mut number = |_, body| Func(body as u32);
        let next_var = Emitter::new(&mut world, &mut facts, &mut number, &placed).emit_head();
        first_var = Emitter::new(&mut world, &mut facts, &mut number, &placed).emit(&nodes, &joins, next_var);
        placed.ssa.settle();
        placed.tell_control(&FxHashSet::default(), &mut facts);
        module.codes.push(Code::new(placed.ssa));
    }
    module.facts = facts.len();
    Ok(module)
}

/// The modules that a body may import.
fn imports(module: &LoweredModule, body: &Body) -> Vec<Name> {
    let mut names = Vec::new();
    for node in &body.nodes {
        match &node.kind {
            Kind::ImportModule { module, .. } => names.extend(with_packages(module)),
            Kind::ImportStar { module: from, level } => names.extend(with_packages(&absolute(module, from, *level))),
            Kind::ImportFrom { module: from, level, name, .. } => {
                let from = absolute(module, from, *level);
                names.extend(with_packages(&from));
                names.push(Name::from(format!("{from}.{name}").as_str()));
            }
            _ => {}
        }
    }
    names
}

/// A module with the packages that it is in.
fn with_packages(module: &str) -> Vec<Name> {
    let ends = module.match_indices('.').map(|(at, _)| at).chain([module.len()]);
    ends.map(|end| Name::from(&module[..end])).collect()
}

/// The whole name of a module that is imported with so many dots.
pub(super) fn absolute(from: &LoweredModule, module: &str, level: u32) -> Name {
    if level == 0 {
        return Name::from(module);
    }
    let above = if from.is_package { level - 1 } else { level } as usize;
    let parts: Vec<&str> = from.name.split('.').collect();
    let kept = &parts[..parts.len().saturating_sub(above)];
    let named = kept.iter().copied().chain(Some(module).filter(|module| !module.is_empty()));
    Name::from(named.collect::<Vec<_>>().join(".").as_str())
}

/// All modules, by number and by name.
pub(super) struct Program {
    pub modules: Vec<LoweredModule>,
    pub by_name: FxHashMap<Name, usize>,
    /// The names that each module binds.
    pub bound: Vec<FxHashSet<Name>>,
    /// The modules from which each imports everything.
    pub stars: Vec<Vec<Name>>,
}

impl Program {
    pub fn new(modules: Vec<LoweredModule>) -> Program {
        let by_name = modules.iter().enumerate().map(|(number, module)| (module.name.clone(), number)).collect();
        let bound = |module: &LoweredModule| {
            let kinds = module.codes.iter().flat_map(|code| &code.instructions);
            let stored = kinds.filter_map(|kind| match kind {
                Kind::StoreGlobal { name, .. } => Some(name.clone()),
                _ => None,
            });
            stored.collect()
        };
        let bound = modules.iter().map(bound).collect();
        let stars = |module: &LoweredModule| {
            let kinds = module.codes.iter().flat_map(|code| &code.instructions);
            let stars = kinds.filter_map(|kind| match kind {
                Kind::ImportStar { module: from, level } => Some(absolute(module, from, *level)),
                _ => None,
            });
            stars.collect()
        };
        let stars = modules.iter().map(stars).collect();
        Program { modules, by_name, bound, stars }
    }

    pub fn code(&self, (module, body): (u32, u32)) -> &Code {
        &self.modules[module as usize].codes[body as usize]
    }
}
