extension Interview {
    /// Assigns columns to rows so that the sum of all scores is the greatest possible. A greedy choice could give the first row a column
    /// that is the only one to fit the second.
    enum HungarianAssignment {
        /// The Hungarian method with potentials (Kuhn, Munkres). A pair without a score is never assigned.
        ///
        /// - Parameter scores: by row, the score of each column, above 0; nil for a pair that is impossible.
        /// - Returns: the column of each row, nil for none, and the sum of the scores.
        static func best(_ scores: [[Double?]]) -> (columns: [Int?], total: Double) {
            let rows = scores.count
            let real = scores.first?.count ?? 0
            guard rows > 0, real > 0, scores.allSatisfy({ $0.count == real }) else { return ([Int?](repeating: nil, count: rows), 0) }
            // Each row has a spare column for "unassigned", at a cost of 0.
            let columns = real + rows
            func cost(_ row: Int, _ column: Int) -> Double {
                guard column < real else { return 0 }
                return scores[row][column].map { -$0 } ?? 1e6
            }
            var rowPotential = [Double](repeating: 0, count: rows + 1)
            var columnPotential = [Double](repeating: 0, count: columns + 1)
            // Indices count from 1; 0 is "none yet".
            var owner = [Int](repeating: 0, count: columns + 1)
            var way = [Int](repeating: 0, count: columns + 1)
            for row in 1...rows {
                owner[0] = row
                var column = 0
                var least = [Double](repeating: .infinity, count: columns + 1)
                var isUsed = [Bool](repeating: false, count: columns + 1)
                repeat {
                    isUsed[column] = true
                    let current = owner[column]
                    var step = Double.infinity
                    var next = 0
                    for other in 1...columns where !isUsed[other] {
                        let reduced = cost(current - 1, other - 1) - rowPotential[current] - columnPotential[other]
                        if reduced < least[other] { (least[other], way[other]) = (reduced, column) }
                        if least[other] < step { (step, next) = (least[other], other) }
                    }
                    for other in 0...columns {
                        if isUsed[other] {
                            rowPotential[owner[other]] += step
                            columnPotential[other] -= step
                        } else {
                            least[other] -= step
                        }
                    }
                    column = next
                } while owner[column] != 0
                while column != 0 {
                    let before = way[column]
                    owner[column] = owner[before]
                    column = before
                }
            }
            var given = [Int?](repeating: nil, count: rows)
            var total = 0.0
            for column in 1...real {
                let row = owner[column]
                guard row > 0, let score = scores[row - 1][column - 1] else { continue }
                given[row - 1] = column - 1
                total += score
            }
            return (given, total)
        }
    }
}
