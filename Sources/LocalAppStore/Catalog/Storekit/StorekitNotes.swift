/// The findings and properties of a file that the reader collects while it reads.
///
/// `StorekitNotes` is a class because all parts of the reader share one instance; the instance never leaves the call that created it.
final class StorekitNotes {
    /// The version in the file; nil if the file has none.
    var stated: StorekitVersion?
    /// The lowest version that supports the content.
    private(set) var needed = StorekitVersion(1, 0)
    /// The first error in the file.
    private(set) var firstError: CatalogError?

    private var errors: [CatalogFinding] = []
    private var warnings: [CatalogFinding] = []
    private var overlooked = 0

    /// All findings: errors first, then warnings, each in the order of the file.
    var findings: [CatalogFinding] {
        let more = CatalogFinding(.warning, at: "$", "There are \(overlooked) more findings: mend these first, and look again.")
        return errors + warnings + (overlooked > 0 ? [more] : [])
    }

    /// Adds an error, with a sentence that states the solution.
    func error(_ error: CatalogError, _ sentence: String) {
        firstError = firstError ?? error
        guard errors.count < CatalogFinding.limit else {
            overlooked += 1
            return
        }
        errors.append(CatalogFinding(.error, at: error.path, sentence))
    }

    /// Adds an error for an invalid value, with the reason.
    func unusable(_ path: String, _ reason: String) {
        error(.unusable(path: path, reason: reason), reason.prefix(1).uppercased() + reason.dropFirst())
    }

    /// Adds a warning about a problem that does not make the file unusable.
    func warning(_ path: String, _ sentence: String) {
        guard warnings.count < CatalogFinding.limit else {
            overlooked += 1
            return
        }
        warnings.append(CatalogFinding(.warning, at: path, sentence))
    }

    /// Records that the file uses a key.
    func uses(_ key: String, at path: String, since version: StorekitVersion) {
        needed = max(needed, version)
        if let stated, version > stated {
            warning(path, "The key \(key) came with version \(version), but the file says \(stated): raise the version.")
        }
    }
}
