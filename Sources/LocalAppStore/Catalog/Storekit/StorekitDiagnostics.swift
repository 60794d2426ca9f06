/// The findings and properties of a file that the reader collects while it reads.
///
/// `StorekitDiagnostics` is a class because all parts of the reader share one instance; the instance never leaves the call that created it.
final class StorekitDiagnostics {
    /// The version in the file; nil if the file has none.
    var declaredVersion: StorekitVersion?
    /// The lowest version that supports the content.
    private(set) var requiredVersion = StorekitVersion(1, 0)
    /// The first error in the file.
    private(set) var firstError: CatalogError?

    private var errors: [CatalogFinding] = []
    private var warnings: [CatalogFinding] = []
    private var omittedCount = 0

    /// All findings: errors first, then warnings, each in the order of the file.
    var findings: [CatalogFinding] {
        let more = CatalogFinding(
            .warning, at: "$", "There are \(omittedCount) more findings: fix the listed findings, then check the file again.")
        return errors + warnings + (omittedCount > 0 ? [more] : [])
    }

    /// Adds an error, with a sentence that states the solution.
    func error(_ error: CatalogError, _ message: String) {
        firstError = firstError ?? error
        guard errors.count < CatalogFinding.limit else {
            omittedCount += 1
            return
        }
        errors.append(CatalogFinding(.error, at: error.path, message))
    }

    /// Adds an error for an invalid value, with the reason.
    func invalidValue(_ path: String, _ reason: String) {
        error(.invalidValue(path: path, reason: reason), reason.prefix(1).uppercased() + reason.dropFirst())
    }

    /// Adds a warning about a problem that does not make the file unusable.
    func warning(_ path: String, _ message: String) {
        guard warnings.count < CatalogFinding.limit else {
            omittedCount += 1
            return
        }
        warnings.append(CatalogFinding(.warning, at: path, message))
    }

    /// Records that the file uses a key.
    func noteKey(_ key: String, at path: String, since version: StorekitVersion) {
        requiredVersion = max(requiredVersion, version)
        if let declaredVersion, version > declaredVersion {
            warning(path, "The key \(key) requires version \(version), but the file has version \(declaredVersion): raise the version.")
        }
    }
}
