extension DecodingError {
    /// Where in the payload it happened, such as `payload.commitmentInfo.commitmentPrice`.
    var place: String {
        switch self {
        case .keyNotFound(let key, let context): Self.place(context.codingPath + [key])
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): Self.place(context.codingPath)
        @unknown default: "payload"
        }
    }

    // Keys are those of our own types, never of the data.
    private static func place(_ path: [any CodingKey]) -> String {
        path.reduce("payload") { place, key in place + (key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)") }
    }
}
