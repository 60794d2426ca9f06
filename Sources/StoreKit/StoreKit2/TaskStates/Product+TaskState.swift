extension Product {
    /// The state of a task that loads a product.
    ///
    /// On Apple's platforms, SwiftUI passes the state to a view. Here it is a plain value, for models that store one.
    public enum TaskState: Sendable {
        /// The task is loading.
        case loading
        /// The store has no such product.
        case unavailable
        /// The task failed.
        case failure(any Error)
        /// The task has loaded the product.
        case success(Product)

        /// The product; nil unless the task succeeded.
        public var product: Product? {
            if case .success(let product) = self { product } else { nil }
        }
    }

    /// The state of a task that loads several products.
    ///
    /// On Apple's platforms, SwiftUI passes the state to a view. Here it is a plain value, for models that store one.
    public enum CollectionTaskState: Sendable {
        /// The task is loading.
        case loading
        /// The task failed.
        case failure(any Error)
        /// The task has loaded these products; the store does not have the others.
        case success([Product], unavailable: [Product.ID])

        /// The products; nil unless the task succeeded.
        public var products: [Product]? {
            if case .success(let products, _) = self { products } else { nil }
        }
    }
}
