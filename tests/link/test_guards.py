"""Likeness is not sameness: which pairs of names may be one operation when their vectors are equal."""

from __future__ import annotations

from typing import Any

import pytest

from smallchatc.cluster import cluster_overloads
from smallchatc.verbs import KINDS, OPPOSITES

APART = [
    ("get_object", "put_object"),
    ("add_label", "remove_label"),
    ("index_documents", "search_documents"),
    ("diff_staged", "diff_unstaged"),
    ("forward_geocode", "reverse_geocode"),
    ("geocode", "reverse_geocode"),
    ("read_file", "delete_file"),
    ("start_instance", "stop_instance"),
    ("lock_door", "unlock_door"),
    ("import_contacts", "export_contacts"),
    ("encode_text", "decode_text"),
    ("subscribe_topic", "unsubscribe_topic"),
    ("install_package", "uninstall_package"),
    ("enable_rule", "disable_rule"),
    ("upload_file", "download_file"),
    ("encrypt_text", "decrypt_text"),
    ("open_issue", "close_issue"),
    ("turn_on_light", "turn_off_light"),
    ("get_first_message", "get_last_message"),
    ("get_min_price", "get_max_price"),
    ("list_inbound_calls", "list_outbound_calls"),
    ("go_back", "go_forward"),
    ("convert_pdf_to_text", "convert_text_to_pdf"),
    ("send_to_user", "send_from_user"),
    ("get_user", "list_users"),
    ("get_user", "get_users"),
    ("insert_one", "insert_many"),
    ("delete_message", "delete_all_messages"),
    ("delete_message", "delete_messages"),
    ("get_comments", "add_comment"),
    ("list_issues", "search_issues"),
    ("count_rows", "list_rows"),
    ("create_issue", "create_branch"),
    ("create_pull_request", "create_pull_request_review"),
    ("list_user_groups", "list_group_users"),
    ("list_tables", "list_table_columns"),
    ("delete_entities", "delete_relations"),
    ("create_file", "create_or_update_file"),
    ("get_object", "get_item"),
    ("get_weather", "get_weather_not"),
    ("tool_1", "tool_2"),
    ("check_in", "check_out"),
    ("mark_read", "mark_unread"),
    ("accept_invite", "decline_invite"),
    ("increase_volume", "decrease_volume"),
    ("volume_up", "volume_down"),
    ("mount_disk", "unmount_disk"),
    ("login", "logout"),
    ("查询", "删除"),
]

TOGETHER = [
    ("create_issue", "create_issue"),
    ("create_issue", "createIssue"),
    ("create_issue", "issue-create"),
    ("get_file", "read_file"),
    ("get_file", "get_file_contents"),
    ("find_flights", "search_flights"),
    ("send_message", "post_message"),
    ("list_repos", "list_repositories"),
    ("get_pull_request", "pr_read"),
    ("get_pull_requests", "list_prs"),
    ("delete_folder", "remove_directory"),
    ("list_all_users", "list_users"),
    ("search_v2", "search"),
    ("execute_query", "run_query"),
    ("querySql", "query_sql"),
    ("get_role_policies", "get_policies_for_role"),
    ("list_comments_on_issue", "list_issue_comments"),
    ("get_user_by_id", "get_user_by_email"),
    ("get_user_by_id", "get_user"),
    ("查询", "查询"),
]


@pytest.mark.parametrize(("one", "other"), [*APART, *((b, a) for a, b in APART)])
def test_different_operations_are_never_grouped(build: Any, one: str, other: str) -> None:
    assert groups(build, f"a/{one}", f"b/{other}") == 0


@pytest.mark.parametrize(("one", "other"), [*TOGETHER, *((b, a) for a, b in TOGETHER if a != b)])
def test_one_operation_of_two_providers_is_grouped(build: Any, one: str, other: str) -> None:
    assert groups(build, f"a/{one}", f"b/{other}") == 1


@pytest.mark.parametrize(("one", "other"), OPPOSITES)
def test_opposites_keep_equal_names_apart_when_the_descriptions_hold_them(build: Any, one: str, other: str) -> None:
    first = build.tool("a/handle", f"Concerns the {one} one", x="s")
    second = build.tool("b/handle", f"Concerns the {other} one", y="s")
    assert not cluster_overloads(build.embedded(build.catalog([first, second]))).overloads


def test_a_name_without_a_verb_takes_it_from_the_description(build: Any) -> None:
    pod = build.tool("a/pod_logs", "Gets the logs of a pod", x="s")
    same = build.tool("b/pod_logs", "This tool retrieves logs", y="s")
    other = build.tool("c/pod_logs", "Deletes the logs of a pod", z="s")
    clustered = cluster_overloads(build.embedded(build.catalog([pod, same, other])))
    assert [group.members for group in clustered.overloads] == [(0, 1)]


def test_a_name_without_a_verb_means_all_that_its_description_lists(build: Any) -> None:
    manage = build.tool("a/branch", "List, create, or delete branches", x="s")
    same = build.tool("b/branch", "Manage branches: deletes, creates and lists them", y="s")
    lists = build.tool("c/branch", "List branches", z="s")
    clustered = cluster_overloads(build.embedded(build.catalog([manage, same, lists])))
    assert [group.members for group in clustered.overloads] == [(0, 1)]


def test_a_narrower_name_is_the_same_operation_where_the_other_says_so_anyway(build: Any) -> None:
    wide = build.tool("a/get_logs", "Get the logs of a pod", x="s")
    narrow = build.tool("b/get_pod_logs", "Get logs", y="s")
    assert len(cluster_overloads(build.embedded(build.catalog([wide, narrow]))).overloads) == 1
    silent = build.tool("a/get_logs", "Get the logs of a build", x="s")
    assert not cluster_overloads(build.embedded(build.catalog([silent, narrow]))).overloads


def test_words_that_say_whose_tool_it_is_do_not_count(build: Any) -> None:
    assert groups(build, "notion/notion_append_block", "notes/append_block") == 1
    shared_prefix = [f"pages/browser_{verb}" for verb in ("click", "hover", "resize", "drag")]
    assert groups(build, *shared_prefix, "chrome/chrome_click") == 1


def test_the_owner_counts_where_nothing_else_says_what_is_meant(build: Any) -> None:
    assert groups(build, "issue/issue_create", "page/page_create") == 0


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("listComments", "list_comments", 1),
        ("search", "search_v2", 1),
        ("search_legacy", "search", 1),
        ("get_repo", "get_repository", 1),
        ("get_user_by_id", "get_user_by_email", 1),
        ("get_user_by_id", "get_users_by_role", 0),
        ("find_user", "search_user", 0),
        ("send_message", "post_message", 0),
        ("get_page", "get_page_contents", 0),
        ("job_1", "job_2", 0),
    ],
)
def test_inside_one_provider_only_version_and_spelling_may_differ(
    build: Any, one: str, other: str, expected: int
) -> None:
    assert groups(build, f"a/{one}", f"a/{other}") == expected


def test_an_equal_selector_hint_lets_tools_of_one_provider_be_one_operation(build: Any) -> None:
    from smallchatc.model import Hints

    tools = [
        build.tool("a/find_user", hints=Hints(selector="look up a person"), x="s"),
        build.tool("a/search_user", hints=Hints(selector="Look up a person!"), y="s"),
        build.tool("a/delete_user", hints=Hints(selector="look up a person"), z="s"),
    ]
    clustered = cluster_overloads(build.embedded(build.catalog(tools)))
    assert [[tools_at(clustered, i) for i in group.members] for group in clustered.overloads] == [
        ["a/find_user", "a/search_user"]
    ]


def test_no_word_is_in_two_kinds_of_verbs() -> None:
    words = [word for kind in KINDS.values() for word in kind.split()]
    assert len(words) == len(set(words))


def tools_at(clustered: Any, index: int) -> str:
    path: str = clustered.embedded.catalog.tools[index].path
    return path


def groups(build: Any, *paths: str) -> int:
    """The number of overload groups among tools with equal vectors and different parameters."""
    tools = [build.tool(path, **{f"p{index}": "s"}) for index, path in enumerate(paths)]
    return len(cluster_overloads(build.embedded(build.catalog(tools))).overloads)
