public import ArgumentParser
public import PurchaseModel

extension ConsumptionRequestReason: ExpressibleByArgument {}
