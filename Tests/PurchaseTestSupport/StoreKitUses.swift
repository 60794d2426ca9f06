/// Uses of StoreKit's symbols, under the names that the page about coverage gives them.
///
/// A use is an expression that compiles only where the symbol is there and has the types that the expression names. Nothing calls it.
public struct StoreKitUses {
    /// The uses, by symbol.
    public private(set) var bySymbol: [String: Any] = [:]
    /// Symbols that were given a second use.
    public private(set) var twice: [String] = []
    private var owner = ""

    /// No uses.
    public init() {}

    /// Uses a type, and goes on to its members.
    public mutating func of(_ type: String, _ use: Any) {
        of(type)
        add(type, use)
    }

    /// Goes on to the members of a type that is not StoreKit's.
    public mutating func of(_ type: String) {
        owner = type
    }

    /// Uses a member of the type that was named last.
    public mutating func has(_ member: String, _ use: Any) {
        add("\(owner).\(member)", use)
    }

    /// Uses a symbol that goes by its whole name.
    public mutating func add(_ symbol: String, _ use: Any) {
        if bySymbol.updateValue(use, forKey: symbol) != nil { twice.append(symbol) }
    }
}
