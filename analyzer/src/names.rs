//! Whether a dotted name means something, and what it may have been meant to be.

use std::path::PathBuf;

use crate::world::{World, dotted_name};

/// Names whose distance from what was written is at most this share of its length are offered.
const NEAR: f64 = 0.6;

/// Looks a name of `protect.toml` up in the repository, in installed packages and in the models.
///
/// # Errors
/// The nearest name that does exist, where one is near.
pub fn exists(world: &mut World<'_>, written: &str) -> Result<(), Option<String>> {
    let name = written.strip_suffix(".*").unwrap_or(written);
    let name = match name.strip_prefix("__main__.") {
        Some(rest) => format!("{}.{rest}", world.main_module()),
        None => name.to_owned(),
    };
    let models = world.models;
    let spelled = [name.clone(), format!("builtins.{name}")];
    let in_models =
        |name: &String| models.get(name).is_some() || models.class(name).is_some() || !models.effects(name).is_empty();
    if spelled.iter().any(in_models) || is_in_snapshot(world, &name) {
        return Ok(());
    }
    let candidates = candidates(world, &name);
    let is_module = |candidate: &String| written.ends_with(".*") && candidate.starts_with(&format!("{name}."));
    if candidates.iter().any(|candidate| *candidate == name || is_module(candidate)) {
        return Ok(());
    }
    let known = models.iter().flat_map(|(_, model)| model.names.iter().cloned());
    let scored = candidates
        .into_iter()
        .chain(known)
        .map(|candidate| (strsim::normalized_levenshtein(&name, &candidate), candidate));
    let best = scored.max_by(|left, right| left.0.total_cmp(&right.0).then_with(|| right.1.cmp(&left.1)));
    Err(best.filter(|(score, _)| *score >= NEAR).map(|(_, candidate)| candidate))
}

fn is_in_snapshot(world: &World<'_>, name: &str) -> bool {
    let objects = world.snapshot.objects.values();
    objects.filter_map(dotted_name).any(|dotted| dotted == name)
}

/// Names of functions and classes in the modules that the name may mean.
fn candidates(world: &mut World<'_>, name: &str) -> Vec<String> {
    let mut modules: Vec<String> = Vec::new();
    let mut prefix = name;
    loop {
        modules.push(prefix.to_owned());
        match prefix.rsplit_once('.') {
            Some((shorter, _)) => prefix = shorter,
            None => break,
        }
    }
    modules.extend(repository_modules(world));
    modules.dedup();
    let mut names = Vec::new();
    for module in modules {
        let Some(file) = world.module_file(&module) else { continue };
        let Ok(lowered) = &world.files[file].lowered else { continue };
        names.push(module.clone());
        names.extend(lowered.bodies.iter().skip(1).map(|body| format!("{module}.{}", body.qualified_name)));
        names.extend(lowered.globals.iter().map(|global| format!("{module}.{global}")));
    }
    names
}

/// Modules at the top of the repository, for what was misspelled in its first part.
fn repository_modules(world: &World<'_>) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(&world.search.repository) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let modules = files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "py"));
    modules.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect()
}
