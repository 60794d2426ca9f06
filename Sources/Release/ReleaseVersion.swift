/// The version of Tillroll, which `--version` prints and packages state.
package enum ReleaseVersion {
    /// The version (Semantic Versioning 2.0.0).
    package static let current = "0.9.0"
}
