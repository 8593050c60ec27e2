"""The notifier: reads weir.alert, sends each alert at most once, keeps the ledger on weir.delivery.

`notifier` decides what is next, `ledger` remembers, `inbox` reads; `recipients` and `directory` find who gets
it; `render` and `mail` write it; `smtp` and `chat` send it; `page` takes the answers of users.
"""
