extension Collection where Element: Sendable {
    /// What `transform` makes of each element, in order; at most `limit` at once, from 1.
    package func concurrentMap<Value: Sendable>(
        atMost limit: Int = .max, _ transform: @escaping @Sendable (Element) async -> Value
    ) async -> [Value] {
        await withTaskGroup(of: (Int, Value).self) { group in
            var values: [Int: Value] = [:]
            for (number, element) in enumerated() {
                if number >= limit, let (done, value) = await group.next() { values[done] = value }
                group.addTask { (number, await transform(element)) }
            }
            for await (number, value) in group { values[number] = value }
            return values.sorted { $0.key < $1.key }.map(\.value)
        }
    }
}
