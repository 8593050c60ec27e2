"""Reports: facts (weir.analyze) -> what a reader sees (view, plots) -> text or a page (render)."""
