/// The phones of the tour.
package struct StagePhone: Sendable {
    /// The name of the phone's folder.
    package let name: String
    /// The account that is signed in on the phone.
    package let account: StageAccount

    /// The customer's phone.
    package static let first = StagePhone(name: "phone", account: .grownUp)
    /// The customer's second phone.
    package static let second = StagePhone(name: "second-phone", account: .grownUp)
    /// The child's phone.
    package static let childs = StagePhone(name: "childs-phone", account: .child)
}
