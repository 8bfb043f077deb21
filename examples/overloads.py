"""Overloads: the arguments of a message pick one of several functions of a tool."""

import sys

from runtime_min import SmallchatError, ToolRuntime
from runtime_min.overload import STRING, Param, Signature

OF_TABLE = Signature((Param("table", STRING), Param("format", STRING)))
OF_QUERY = Signature((Param("sql", STRING), Param("format", STRING)))


def export_table(table, format):
    return f"all of {table} as {format}"


def export_query(sql, format):
    return f"the rows of {sql!r} as {format}"


def main(path):
    runtime = ToolRuntime.open(path)
    runtime.bind("database/export_table", export_table, signature=OF_TABLE)
    runtime.bind("database/export_table", export_query, signature=OF_QUERY)
    for args in (
        {"table": "orders", "format": "csv"},
        {"sql": "select 1", "format": "parquet"},
        {"table": 7, "format": "csv"},
        {"format": "csv"},
    ):
        try:
            print(args, "->", runtime.sync.dispatch("database.export_table", args).content)
        except SmallchatError as error:
            print(args, "->", f"{error.code}: {error}")
    runtime.close()


main(sys.argv[1])
