extension Product {
    /// The state of a task that loads a product.
    ///
    /// On Apple's platforms, SwiftUI passes such a state to a view. On Linux, an app can store the state in its model.
    public enum TaskState: Sendable {
        /// The task is loading.
        case loading
        /// The store does not sell the requested product.
        case unavailable
        /// The task failed with the associated error.
        case failure(any Error)
        /// The task has loaded the product.
        case success(Product)

        /// The loaded product; nil unless the task succeeded.
        public var product: Product? {
            if case .success(let product) = self { product } else { nil }
        }
    }

    /// The state of a task that loads several products.
    ///
    /// On Apple's platforms, SwiftUI passes such a state to a view. On Linux, an app can store the state in its model.
    public enum CollectionTaskState: Sendable {
        /// The task is loading.
        case loading
        /// The task failed with the associated error.
        case failure(any Error)
        /// The task has loaded products; `unavailable` contains the requested identifiers that the store does not sell.
        case success([Product], unavailable: [Product.ID])

        /// The loaded products; nil unless the task succeeded.
        public var products: [Product]? {
            if case .success(let products, _) = self { products } else { nil }
        }
    }
}
