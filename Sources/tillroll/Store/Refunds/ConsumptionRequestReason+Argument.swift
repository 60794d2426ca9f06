public import ArgumentParser
package import PurchaseModel

extension ConsumptionRequestReason: ExpressibleByArgument {}
