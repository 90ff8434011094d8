"""How the explorer looks: one style sheet, on a ground of its own in light and dark themes."""

CSS = """
.mtsig-app { background: #fff; color: #1f2430; border: 1px solid #dfe3e8; border-radius: 10px;
  font: 14px/1.45 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
  padding: 14px; box-sizing: border-box; max-width: 1320px; }
.mtsig-app .widget-label, .mtsig-app .jupyter-widgets { color: #1f2430; }
.mtsig-app .jupyter-button.mod-primary { color: #fff; }
.mtsig-app .widget-html-content { line-height: 1.45; font-size: 14px; min-width: 0; flex: 1 1 0; }
.mtsig-app h2.mtsig-title { font-size: 18px; margin: 0; font-weight: 650; }
.mtsig-app h3 { font-size: 12px; margin: 10px 0 2px; color: #5a6270; font-weight: 650;
  letter-spacing: .04em; text-transform: uppercase; }
.mtsig-controls { background: #f6f7f9; border-radius: 8px; padding: 4px 12px 12px; }
.mtsig-verdict { border-left: 4px solid #0072b2; background: #eef4fa; padding: 8px 14px;
  font-size: 15px; border-radius: 0 6px 6px 0; }
.mtsig-verdict p { margin: 0; overflow-wrap: anywhere; }
.mtsig-doubtful { border-color: #d55e00; background: #fdf1ea; }
.mtsig-pitfall { border: 1px solid #d55e00; border-left-width: 4px; background: #fdf1ea;
  color: #7a3300; padding: 8px 14px; margin: 8px 0 0; border-radius: 6px; font-weight: 600; }
.mtsig-error { border: 1px solid #b3261e; border-left-width: 4px; background: #fcefee;
  color: #7a1610; padding: 8px 14px; margin: 0 0 8px; border-radius: 6px; overflow-wrap: anywhere; }
.mtsig-notes { margin: 8px 0 0; padding-left: 18px; color: #5a6270; font-size: 13px; }
.mtsig-p { font-size: 15px; margin: 4px 0 8px; font-variant-numeric: tabular-nums; }
.mtsig-first { color: #5a6270; font-size: 13px; margin: 4px 0; }
.mtsig-caption { color: #5a6270; font-size: 13px; margin: 4px 0 12px; max-width: 46rem; }
.mtsig-figure { max-width: 100%; height: auto; display: block; }
.mtsig-wide { overflow-x: auto; max-width: 100%; }
.mtsig-panel table { border-collapse: collapse; margin: 8px 0; font-size: 13px;
  font-variant-numeric: tabular-nums; color: #1f2430; }
.mtsig-panel thead th { text-align: left; border-bottom: 2px solid #1f2430; padding: 4px 10px;
  font-weight: 600; vertical-align: bottom; background: #fff; }
.mtsig-panel tbody td { border-bottom: 1px solid #e3e6ea; padding: 4px 10px; text-align: left;
  background: #fff; }
.mtsig-panel thead th.mtsig-right, .mtsig-panel tbody td.mtsig-right { text-align: right;
  white-space: nowrap; }
.mtsig-panel tbody tr.mtsig-chosen td { background: #eef4fa; }
.mtsig-panel tbody tr.mtsig-chosen.mtsig-bad td { background: #fdf1ea; }
.mtsig-badge { background: #d55e00; color: #fff; border-radius: 9px; padding: 0 8px;
  font-size: 12px; font-weight: 600; white-space: nowrap; }
.mtsig-steps { padding-left: 26px; margin: 8px 0; }
.mtsig-steps li { margin: 0 0 8px; }
.mtsig-steps code, .mtsig-panel pre { background: #f3f4f6; color: #1f2430; border-radius: 4px;
  padding: 1px 5px; font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace;
  white-space: pre-wrap; }
.mtsig-panel pre { padding: 10px 12px; overflow-x: auto; white-space: pre; }
.mtsig-value { font-variant-numeric: tabular-nums; color: #0b4f7d; overflow-wrap: anywhere; }
.mtsig-mistake code { background: #fdf1ea; outline: 1px solid #d55e00; }
.mtsig-mistake .mtsig-value { color: #a34600; }
.mtsig-app .lm-TabBar-content { flex-wrap: wrap; }
.mtsig-app .lm-TabBar-tab { flex: 0 0 auto !important; min-width: 0 !important;
  max-width: none !important; padding: 0 10px !important; }
.mtsig-app .lm-TabBar-tabLabel { overflow: visible; font-size: 13px; }
.mtsig-links a { display: inline-block; margin: 0 8px 8px 0; padding: 5px 12px; border-radius: 6px;
  border: 1px solid #0072b2; color: #0b4f7d; background: #fff; text-decoration: none; }
.mtsig-links a:hover { background: #eef4fa; }
.mtsig-hint { color: #5a6270; font-size: 12px; line-height: 1.35; }
"""

__all__ = ["CSS"]
