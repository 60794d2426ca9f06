/// Parameters laid out as C wants them: zero-terminated texts, one behind the other in a single allocation.
struct ParameterBuffer {
    /// The protocol counts parameters in 16 bits.
    private static let limit = 65535

    private var storage: [CChar] = []
    /// Where each parameter starts in `storage`; `nil` is `NULL`.
    private var offsets: [Int?] = []

    /// Lays out parameters, or refuses what would not arrive whole.
    init(_ parameters: [PostgresValue]) throws(PostgresError) {
        guard parameters.count <= Self.limit else {
            throw .tooManyParameters
        }
        for parameter in parameters {
            guard let text = parameter.textFormat else {
                offsets.append(nil)
                continue
            }
            // PostgreSQL's text cannot hold a zero, and C would cut the text there without a word.
            guard !text.contains(0) else {
                throw .zeroInText
            }
            offsets.append(storage.count)
            storage.append(contentsOf: text.lazy.map(CChar.init(bitPattern:)))
            storage.append(0)
        }
    }

    /// The number of parameters.
    var count: Int32 {
        Int32(offsets.count)
    }

    /// Lends pointers into `storage` to `body`; they must not outlive the call.
    func withPointers<Value>(_ body: ([UnsafePointer<CChar>?]) -> Value) -> Value {
        unsafe storage.withUnsafeBufferPointer { bytes in
            let pointers = unsafe offsets.map { offset in
                // An offset was made by an append, so a base address exists.
                unsafe offset.flatMap { unsafe bytes.baseAddress?.advanced(by: $0) }
            }
            return unsafe body(pointers)
        }
    }
}
