package import PurchaseModel
package import Wire

extension ServerEndpoints {
    /// Creates an anonymous customer for an installation of the app, and issues a customer token.
    package static let createCustomer = Endpoint<CreateCustomerRequest, CustomerCredentials>(.post, "/v1/customers")
    /// Returns the identifier, the aliases and the merges of the request's customer.
    package static let customer = Endpoint<Empty, CustomerReply>(.get, "/v1/customer")
    /// Issues a customer token, which a backend gives to its app; creates the customer if necessary.
    package static let customerToken = Endpoint<Empty, CustomerCredentials>(.post, "/v1/customer/tokens")
    /// Assigns an alias, such as a signed-in user's account number, to the customer; merges an anonymous customer into the customer who
    /// already has the alias.
    package static let addAlias = Endpoint<AddAliasRequest, CustomerReply>(.post, "/v1/customer/aliases")
    /// Removes an alias of the customer.
    package static let removeAlias = Endpoint<RemoveAliasRequest, CustomerReply>(.post, "/v1/customer/aliases/remove")
    /// Undoes the merge of an anonymous customer into the request's customer, unless credits were posted after the merge.
    package static let undoMerge = Endpoint<UndoMergeRequest, CustomerReply>(.post, "/v1/customer/merges/undo")
    /// Deletes the customer's personal data.
    package static let deleteCustomer = Endpoint<Empty, Empty>(.delete, "/v1/customer")
}

/// The request headers of the server's API.
package enum ServerHeader {
    /// The customer token, with which an app identifies its customer.
    package static let customerToken = "Tillroll-Customer-Token"
    /// The percent-encoded identifier or alias of a customer, for backends.
    package static let customer = "Tillroll-Customer"
    /// The digest (`sha-256=:BASE64:`) of the header that named the customer of a request, in a signed response to the request.
    ///
    /// The signature of the response covers the digest, so that a client detects a response about another customer.
    package static let customerDigest = "Tillroll-Customer-Digest"
    /// The position of the caller's last write in PostgreSQL's log; a replica that has not reached the position does not answer.
    package static let position = "Tillroll-Position"
}

/// A request to create an anonymous customer.
package struct CreateCustomerRequest: Codable, Hashable, Sendable {
    /// The UUID that the app already uses as `appAccountToken`; nil for a new UUID.
    ///
    /// Only a backend can state a UUID.
    package var customer: CustomerID?

    package init(customer: CustomerID? = nil) {
        self.customer = customer
    }
}

/// A customer's identifier, and a token that proves that the bearer acts for the customer.
package struct CustomerCredentials: Codable, Hashable, Sendable {
    /// The identifier, which the app can send to the App Store as `appAccountToken`.
    package var customer: CustomerID
    /// The customer token, which the app keeps in the keychain.
    package var token: String

    package init(customer: CustomerID, token: String) {
        self.customer = customer
        self.token = token
    }
}

package struct AddAliasRequest: Codable, Hashable, Sendable {
    /// The alias, of 1 to 200 bytes; a UUID is refused.
    package var alias: String

    package init(alias: String) {
        self.alias = alias
    }
}

package struct RemoveAliasRequest: Codable, Hashable, Sendable {
    /// The alias to remove from the customer of the request.
    package var alias: String

    package init(alias: String) {
        self.alias = alias
    }
}

package struct UndoMergeRequest: Codable, Hashable, Sendable {
    /// The anonymous customer that was merged into the customer of the request.
    package var customer: CustomerID

    package init(customer: CustomerID) {
        self.customer = customer
    }
}

/// A customer's identifier, aliases and merges.
package struct CustomerReply: Codable, Hashable, Sendable {
    /// A merge of an anonymous customer.
    package struct Merge: Codable, Hashable, Sendable {
        /// The anonymous customer that was merged.
        package var customer: CustomerID
        package var date: Timestamp
        /// The date when the merge was undone; nil for a merge in effect.
        package var undoneAt: Timestamp?

        package init(customer: CustomerID, date: Timestamp, undoneAt: Timestamp? = nil) {
            self.customer = customer
            self.date = date
            self.undoneAt = undoneAt
        }
    }

    package var customer: CustomerID
    /// The customer's aliases, sorted by bytes.
    package var aliases: [String]
    /// The anonymous customer that the request merged into the customer; nil without a merge.
    package var mergedCustomer: CustomerID?
    /// The newest merges of anonymous customers into the customer, at most 50, newest first; nil without merges.
    package var merges: [Merge]?

    package init(customer: CustomerID, aliases: [String], mergedCustomer: CustomerID?, merges: [Merge]? = nil) {
        self.customer = customer
        self.aliases = aliases
        self.mergedCustomer = mergedCustomer
        self.merges = merges
    }
}
