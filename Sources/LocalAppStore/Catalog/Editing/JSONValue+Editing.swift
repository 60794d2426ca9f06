import PurchaseModel

extension JSONValue {
    /// The elements of a JSON array; empty for other values.
    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// Sets the first member with a name, or removes the member if `value` is nil; a value that is not an object becomes an object.
    mutating func set(_ name: String, to value: JSONValue?) {
        var members: [Member] = []
        if case .object(let own) = self { members = own }
        switch (members.firstIndex { $0.name == name }, value) {
        case (let index?, let value?): members[index].value = value
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append(Member(name, value))
        case (nil, nil): break
        }
        self = .object(members)
    }

    /// Sets a member if the new value differs from the old value.
    mutating func set<Value: Equatable>(_ name: String, to new: Value, unless old: Value?, _ json: (Value) -> JSONValue?) {
        if new != old { set(name, to: json(new)) }
    }

    /// Changes the elements of an array member.
    mutating func change(_ name: String, _ body: (inout [JSONValue]) -> Void) {
        var elements = self[name]?.elements ?? []
        body(&elements)
        set(name, to: .array(elements))
    }

    /// Whether a member equals a text, compared byte by byte as identifiers are.
    func hasValue(_ key: String, _ text: String) -> Bool {
        self[key]?.text.map { $0.utf8.elementsEqual(text.utf8) } ?? false
    }
}
