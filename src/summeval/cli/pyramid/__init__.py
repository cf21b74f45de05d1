"""The command `summeval pyramid`: one pyramid, folders of them, and judged units in rows."""
