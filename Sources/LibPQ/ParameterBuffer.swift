/// The parameters of a statement as libpq expects them: null-terminated texts and bytes, stored in one allocation.
struct ParameterBuffer {
    /// The maximum number of parameters, which PostgreSQL's protocol counts in 16 bits.
    private static let limit = 65535

    private var storage: [UInt8] = []
    /// The byte offset of each parameter in `storage`; nil for `NULL`.
    private var offsets: [Int?] = []
    /// The number of bytes of each parameter, which libpq uses for the binary format only.
    private var lengths: [Int32] = []
    /// The format of each parameter: 0 for text, 1 for binary.
    private var formats: [Int32] = []

    /// Creates a buffer with parameters.
    ///
    /// - Throws: ``PostgresError/tooManyParameters`` for more than 65,535 parameters, ``PostgresError/nullByteInText`` for a text with
    ///   a null byte, ``PostgresError/parameterTooLong`` for bytes that PostgreSQL can't store.
    init(_ parameters: [PostgresValue]) throws(PostgresError) {
        guard parameters.count <= Self.limit else {
            throw .tooManyParameters
        }
        for parameter in parameters {
            switch parameter {
            case .null: append(nil, format: 0)
            case .text(let text): try append(Array(text.utf8))
            case .int64(let number): try append(Array(String(number).utf8))
            case .bool(let flag): try append([UInt8(ascii: flag ? "t" : "f")])
            case .bytes(let bytes):
                guard bytes.count < 1 << 30 else { throw .parameterTooLong }
                append(bytes, format: 1)
            }
        }
    }

    private mutating func append(_ text: [UInt8]) throws(PostgresError) {
        // A text of PostgreSQL cannot contain a null byte, and C would silently truncate the text at the null byte.
        guard !text.contains(0) else {
            throw .nullByteInText
        }
        append(text, format: 0)
        storage.append(0)
    }

    private mutating func append(_ bytes: [UInt8]?, format: Int32) {
        offsets.append(bytes == nil ? nil : storage.count)
        lengths.append(Int32(clamping: bytes?.count ?? 0))
        formats.append(format)
        storage.append(contentsOf: bytes ?? [])
        // An empty value has an address, too.
        if bytes?.isEmpty == true, format == 1 { storage.append(0) }
    }

    /// The number of parameters.
    var count: Int32 {
        Int32(offsets.count)
    }

    /// Calls `body` with a pointer to each parameter, nil for `NULL`, with the lengths and the formats; all are valid only during the call.
    func withPointers<Value>(_ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Value) -> Value {
        unsafe storage.withUnsafeBytes { bytes in
            let pointers = unsafe offsets.map { offset in
                // A non-nil offset implies that the storage is not empty, so it has a base address.
                unsafe offset.flatMap { unsafe bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            return unsafe body(pointers, lengths, formats)
        }
    }
}
