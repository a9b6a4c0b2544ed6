/// An hour's temperature is a mean over time, which needs the sensor's last report before it.
enum HourlyMeans40 {
    static let start = """
        -- The last word before the hour; NULL where nobody knows, and in hours from before, whose means are of what was said and not over time.
        ALTER TABLE hourly_readings ADD COLUMN start REAL;
        """
}
