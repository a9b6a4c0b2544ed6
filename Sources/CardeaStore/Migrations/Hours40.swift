/// How warm an hour was is a mean over time, which takes what the sensor said last before it.
enum Hours40 {
    static let start = """
        -- The last word before the hour; NULL where nobody knows, and in hours from before, whose means are of what was said and not over time.
        ALTER TABLE hourly_readings ADD COLUMN start REAL;
        """
}
