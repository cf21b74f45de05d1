"""How any metric is run: options of texts, runners, suites, tables, refused rows."""
