import ArgumentParser

/// A path from the command line; an empty one, as of a variable that is not set, names nothing and is not taken for the current folder.
///
/// - Throws: A usage error.
@Sendable func givenPath(_ text: String) throws -> String {
    guard !text.isEmpty else { throw ValidationError("it is empty. Give a path, or leave the option out where it is optional.") }
    return text
}
